/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page is whole without this: it lets tables be sorted and shows a mark's values at once. */
'use strict';
(() => {
	const key = (row, column) => {
		const cell = row.cells[column];
		if (cell.dataset.value !== undefined)
			return parseFloat(cell.dataset.value);
		return cell.textContent.trim();
	};
	/* Numbers before words before nothing, whichever the direction. */
	const rank = (value) => (value === '' || Number.isNaN(value) ? 2 : typeof value === 'number' ? 0 : 1);
	const order = (left, right, sign) => {
		if (rank(left) !== rank(right))
			return rank(left) - rank(right);
		if (typeof left === 'number')
			return sign * (left - right) || 0;
		return sign * left.localeCompare(right);
	};
	const sort = (head, column) => {
		const falls = head.getAttribute('aria-sort') === 'ascending';
		for (const other of head.parentNode.cells)
			other.removeAttribute('aria-sort');
		head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
		for (const body of head.closest('table').tBodies) {
			const rows = [...body.rows].filter((row) => !row.classList.contains('rule'));
			rows.sort((a, b) => order(key(a, column), key(b, column), falls ? -1 : 1));
			body.append(...rows);
		}
	};
	for (const head of document.querySelectorAll('thead th')) {
		const button = document.createElement('button');
		button.append(...head.childNodes);
		button.title = 'sort by this column';
		head.append(button);
		button.addEventListener('click', () => sort(head, head.cellIndex));
	}

	const hover = document.createElement('div');
	hover.id = 'hover';
	hover.hidden = true;
	document.body.append(hover);
	/* Out of the mark, so that the browser does not show it a second time. */
	const title = (mark) => {
		const own = mark.querySelector('title');
		if (own !== null) {
			mark.dataset.title = own.textContent;
			mark.setAttribute('aria-label', own.textContent);
			own.remove();
		}
		return mark.dataset.title;
	};
	document.addEventListener('pointerover', (event) => {
		const mark = event.target.closest('.plot .mark');
		hover.hidden = mark === null;
		if (mark === null)
			return;
		hover.textContent = title(mark);
		const box = mark.getBoundingClientRect();
		const left = box.left + box.width / 2 - hover.offsetWidth / 2;
		hover.style.left = Math.max(4, Math.min(left, innerWidth - hover.offsetWidth - 4)) + 'px';
		hover.style.top = Math.max(4, box.top - hover.offsetHeight - 6) + 'px';
	});
})();

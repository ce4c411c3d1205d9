// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens reports in headless Chromium as a reader does, and says in TAP whether
 * they are fit to be read: no message on the console, no request, every mark
 * there, hovering shows values, tables sort, nothing overlaps or runs out of
 * the page at 1280 and at 400 pixels, in light and dark and in print.
 *
 *	node page.js PLAYWRIGHT CHROMIUM REPORT.html MARKS [SCREENSHOTS]
 *
 * MARKS: plot=number,... as the maker of the report counted them.
 */
'use strict';
const path = require('path');

const [playwright, chromium, report, counts, screenshots] = process.argv.slice(2);
let number = 0;
let failures = 0;

function ok(good, name, detail) {
	number++;
	failures += good ? 0 : 1;
	process.stdout.write(`${good ? 'ok' : 'not ok'} ${number} - ${name}\n`);
	if (!good && detail !== undefined)
		process.stdout.write(`# ${JSON.stringify(detail)}\n`);
}

/* In the page: pairs of texts of one picture whose boxes share more than a pixel each way, and
 * texts that leave their picture. */
function badTexts() {
	const bad = [];
	const overlap = (a, b) =>
		Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
	for (const svg of document.querySelectorAll('figure svg')) {
		const frame = svg.getBoundingClientRect();
		const texts = [...svg.querySelectorAll('text')].map((text) => [text.firstChild.data, text.getBoundingClientRect()]);
		texts.forEach(([word, box], i) => {
			if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
				bad.push(`${word} leaves its picture`);
			for (const [other, otherBox] of texts.slice(i + 1))
				if (overlap(box, otherBox))
					bad.push(`${word} over ${other}`);
		});
	}
	return bad;
}

/* In the page: whether anything makes the page itself wider than its window. */
const tooWide = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;

async function atWidth(browser, width, scheme) {
	const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
	const said = [], asked = [];
	page.on('console', (message) => said.push(message.text()));
	page.on('pageerror', (error) => said.push(String(error)));
	page.on('request', (request) => asked.push(request.url()));
	const address = 'file://' + path.resolve(report);
	await page.goto(address);
	const name = `${width} pixels, ${scheme}`;
	ok(said.length === 0, `${name}: nothing on the console`, said);
	ok(asked.length === 1 && asked[0] === address, `${name}: no request leaves the page`, asked);
	ok(!(await page.evaluate(tooWide)), `${name}: the page is as wide as the window`);
	const bad = await page.evaluate(badTexts);
	ok(bad.length === 0, `${name}: no text over another or cut off`, bad);
	if (screenshots !== undefined)
		await page.screenshot({ path: path.join(screenshots, `${width}-${scheme}.png`), fullPage: true });
	return page;
}

async function checkMarks(page) {
	for (const word of counts.split(',').filter((part) => part !== '')) {
		const [plot, wanted] = word.split('=');
		const found = await page.locator(`figure#${plot} .mark`).count();
		ok(found === Number(wanted), `${plot}: ${wanted} marks`, found);
	}
}

async function checkHover(page) {
	const mark = page.locator('.plot .mark').first();
	await mark.scrollIntoViewIfNeeded();
	/* Of marks that lie over each other the last is on top. */
	const title = await mark.evaluate((one) => {
		const box = one.getBoundingClientRect();
		const under = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
		const top = under.map((seen) => seen.closest('.mark')).find((seen) => seen);
		return (top ?? one).querySelector('title').textContent;
	});
	await mark.hover({ force: true });
	const shown = await page.locator('#hover').textContent();
	ok(shown === title && /\d/.test(shown), 'hovering over a mark shows its values', [title, shown]);
}

/* A number column, sorted upwards and then downwards, by the values behind the cells. */
async function checkSort(page) {
	const column = await page.evaluate(() => {
		const cell = document.querySelector('td[data-value]');
		return cell === null ? -1 : cell.cellIndex;
	});
	if (column < 0)
		return;
	const values = () => page.evaluate((index) => {
		const body = [...document.querySelector('table').tBodies].sort((a, b) => b.rows.length - a.rows.length)[0];
		return [...body.rows].filter((row) => !row.classList.contains('rule'))
			.map((row) => row.cells[index].dataset.value).filter((value) => value !== undefined).map(Number);
	}, column);
	const button = page.locator(`table >> nth=0 >> thead th >> nth=${column} >> button`);
	await button.click();
	const up = await values();
	await button.click();
	const down = await values();
	ok(up.every((value, i) => i === 0 || up[i - 1] <= value), 'a click sorts a column upwards', up);
	ok(down.every((value, i) => i === 0 || down[i - 1] >= value), 'another sorts it downwards', down);
}

async function checkWithoutScript(browser) {
	const context = await browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto('file://' + path.resolve(report));
	const text = await page.locator('main').innerText();
	ok(text.length > 200 && (await page.locator('figure svg').count()) > 0,
		'without script the sheet and the pictures are there');
	await context.close();
}

/* On A4 with 1 cm around: black on white whatever the screen has, and nothing cut off at the right. */
async function checkPrint(browser) {
	const page = await browser.newPage({ viewport: { width: 718, height: 1047 }, colorScheme: 'dark' });
	await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
	await page.goto('file://' + path.resolve(report));
	const seen = await page.evaluate(() => ({
		ground: getComputedStyle(document.body).backgroundColor,
		ink: getComputedStyle(document.body).color,
		cut: [...document.querySelectorAll('table, figure svg')]
			.filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
			.map((one) => one.textContent.slice(0, 40)),
	}));
	ok(seen.ground === 'rgb(255, 255, 255)' && seen.ink === 'rgb(27, 31, 36)', 'it prints dark on white', seen);
	ok(seen.cut.length === 0, 'and nothing is cut off on paper', seen.cut);
	if (screenshots !== undefined)
		await page.screenshot({ path: path.join(screenshots, 'print.png'), fullPage: true });
	await page.close();
}

async function main() {
	const browser = await require(playwright).chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] });
	const page = await atWidth(browser, 1280, 'light');
	await checkMarks(page);
	await checkHover(page);
	await checkSort(page);
	await atWidth(browser, 400, 'dark');
	await checkPrint(browser);
	await checkWithoutScript(browser);
	await browser.close();
	process.stdout.write(`1..${number}\n`);
	process.exitCode = failures > 0 ? 1 : 0;
}

main().catch((error) => {
	process.stdout.write(`not ok ${number + 1} - the browser: ${String(error).split('\n')[0]}\n1..${number + 1}\n`);
	/* The browser still runs, and would keep this program with it. */
	process.exit(1);
});

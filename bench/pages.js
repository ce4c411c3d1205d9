// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long a page takes to open in headless Chromium, until its second frame is
 * drawn: the median of several times, in seconds.
 *
 *	node pages.js PLAYWRIGHT CHROMIUM PAGE.html
 */
'use strict';
const path = require('path');

const [playwright, chromium, page] = process.argv.slice(2);
const TIMES = 7;

const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

(async () => {
	const browser = await require(playwright).chromium.launch({ executablePath: chromium, args: ['--no-sandbox'] });
	const took = [];
	for (let i = 0; i < TIMES; i++) {
		const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } });
		const start = process.hrtime.bigint();
		await tab.goto('file://' + path.resolve(page));
		await tab.evaluate(drawn);
		took.push(Number(process.hrtime.bigint() - start) / 1e9);
		await tab.close();
	}
	await browser.close();
	took.sort((a, b) => a - b);
	process.stdout.write(`${took[(TIMES - 1) / 2]}\n`);
})();

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaced as soon as there are commands. */
int main(void)
{
	return 0;
}

/*
 * What the page holds besides data, embedded at build by cmake/embed.cmake: uPlot as npm has it,
 * and report/page.css and report/page.js. Static, not ended by a zero.
 */
#ifndef REPORT_PAGE_ASSETS_H
#define REPORT_PAGE_ASSETS_H

#include <stddef.h>

extern const unsigned char page_uplot_css[];
extern const size_t page_uplot_css_size;
extern const unsigned char page_uplot_js[];
extern const size_t page_uplot_js_size;
extern const unsigned char page_own_css[];
extern const size_t page_own_css_size;
extern const unsigned char page_own_js[];
extern const size_t page_own_js_size;

#endif

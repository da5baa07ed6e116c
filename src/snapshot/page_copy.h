/*
 * The one racy thing of a capture: reading a page that its owner may be changing.
 */
#ifndef SNAPSHOT_PAGE_COPY_H
#define SNAPSHOT_PAGE_COPY_H

/*
 * Copies OC_ARENA_PAGE_SIZE bytes from a page (aligned to 8) to `to` (any alignment), which must
 * not overlap, word by word in ascending order. The owner of the page may store to it meanwhile:
 * the copy may then be torn, and the caller must find out before it is used.
 */
void page_copy(void *to, const void *page);

#endif

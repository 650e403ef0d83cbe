/*
 * The longest sides of the sizes in which pictures are stored, in pixels. Not in images.ts: each decoder process would load the
 * library of schemas.
 */
/** The size of pictures of items and submissions, which are looked at closely. */
export const LARGE_PICTURE_PX = 1280
/** The size of pictures of users and tasks: twice that of the largest place where one is shown. */
export const SMALL_PICTURE_PX = 400
/** Largest first. */
export const PICTURE_SIZES = [LARGE_PICTURE_PX, SMALL_PICTURE_PX, 96] as const

/** Pictures of a message: how many it may have, and the files that a file input offers, with the limit in megabytes and its message. */
export const pictureFiles = {
  most: 3,
  accept: 'image/png,image/jpeg,image/webp',
  megabytes: 8,
  tooLarge: 'The file is too large. Please use an image of at most 8 MB.',
}

/** The address of a picture. `isSmall`: of the small one for the thread. */
export const picturePath = (id: string, isSmall: boolean, isStaff: boolean): string =>
  `${isStaff ? '/admin' : ''}/ticket-pictures/${id}${isSmall ? '-small' : ''}.webp`

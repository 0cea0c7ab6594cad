/** The limits for pictures in a message: the maximum number, the file types for the file input, and the maximum size in megabytes with its error message. */
export const pictureFiles = {
  max: 3,
  accept: 'image/png,image/jpeg,image/webp',
  megabytes: 8,
  tooLarge: 'The file is too large. Please use an image of at most 8 MB.',
}

/** Returns the path of a picture. `isSmall`: the small version for the thread. `isStaff`: the path for administrators. */
export const picturePath = (id: string, isSmall: boolean, isStaff: boolean): string =>
  `${isStaff ? '/admin' : ''}/ticket-pictures/${id}${isSmall ? '-small' : ''}.webp`

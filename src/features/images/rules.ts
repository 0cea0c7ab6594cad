/** The files that can be uploaded as an image, for a file input: media types, and the limit in bytes with its message. */
export const imageFiles = {
  accept: 'image/png,image/jpeg,image/webp',
  maxBytes: 2 * 1024 * 1024,
  tooLarge: 'The file is too large. Please use an image of at most 2 MB.',
}

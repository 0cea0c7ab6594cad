import display from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url'
import body from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url'

/** The two files the first paint needs: preload them as font/woff2 with crossorigin. */
export const fontFiles: readonly string[] = [display, body]

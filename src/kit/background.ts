/** On requests that a page makes by itself, when its person has been idle for a while. */
export const backgroundHeader = 'x-background'

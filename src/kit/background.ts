/** The name of the header of requests that a page makes without a user action, after the user has been idle for a while. */
export const backgroundHeader = 'x-background'

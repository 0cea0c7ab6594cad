/** The oldest browser that the scripts of /tv are built for: that of webOS 6, from 2021. */
export const tvTarget = 'chrome79'

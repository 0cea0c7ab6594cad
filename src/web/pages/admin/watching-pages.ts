// One module for the pages about watching: each further file adds to the script that every visitor downloads.
export { AdminWatchingPage } from '../admin-watching-page.tsx'
export { AdminGuidePage } from './admin-guide-page.tsx'

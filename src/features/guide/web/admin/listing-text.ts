import type { Listing } from '../../admin-contract.ts'

/** Listings as text: their name, or their id if the file gives them no name. */
export const listingText = ({ name, xmltvId }: Listing): string => name || xmltvId

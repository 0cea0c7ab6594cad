import { createContext } from 'react'

/** The channel numbers by channel id, of channels that have one. */
export const ChannelNumbers = createContext<ReadonlyMap<number, number>>(new Map())

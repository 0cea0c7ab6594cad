import { createContext } from 'react'

/** The numbers of channels, by channel; only those that have one. */
export const ChannelNumbers = createContext<ReadonlyMap<number, number>>(new Map())

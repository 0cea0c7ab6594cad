import { CircleCheck, Gift, KeyRound, ListVideo, MessageSquareWarning } from 'lucide-react'
import type { ReactNode } from 'react'

export type AccountTab = 'subscription' | 'iptv' | 'referrals' | 'reports' | 'watchlist'

/** The tabs of My Account in order; the first is the default. */
export const accountEntries: readonly { value: AccountTab; label: string; icon: ReactNode }[] = [
  { value: 'subscription', label: 'Subscription', icon: <CircleCheck size={18} /> },
  { value: 'iptv', label: 'IPTV Account', icon: <KeyRound size={18} /> },
  { value: 'referrals', label: 'Referrals', icon: <Gift size={18} /> },
  { value: 'reports', label: 'Reports', icon: <MessageSquareWarning size={18} /> },
  { value: 'watchlist', label: 'Watchlist', icon: <ListVideo size={18} /> },
]

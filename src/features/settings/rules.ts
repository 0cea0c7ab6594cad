import { noChat } from '#features/chat/rules.ts'
import type { LegalDocument, SettingKey, SettingValue } from './contract.ts'

/** What an installation starts with; the operator's own values replace them field by field. */
export const defaults: { [K in SettingKey]: SettingValue<K> } = {
  site: {
    brand: { name: 'SauceTV', mascot: true },
    contact: { email: 'support@saucetv.example', phone: '+1 (555) 010-0199' },
    socials: [],
    apps: { android: '', ios: '', web: '' },
    playerUrl: '',
    setup: {
      downloaderCode: '',
      appName: 'the recommended app',
      providerName: 'SauceTV',
      videoUrl: '',
      demoUsername: 'demo-user',
      demoPassword: 'demo-password',
    },
    chat: noChat,
    claims: {
      liveChannels: '10,000+',
      countries: '100+',
      worldCountries: '190+',
      totalChannels: '25,000+',
      catchUpDays: 3,
      moneyBackDays: 7,
      support: '24/7',
      trialHours: '24-48',
    },
  },
  payments: {
    cashtag: '$SauceTVDemo',
    venmoHandle: '@saucetv-demo',
    notePrefix: 'SAUCE: ',
    verificationHours: 24,
    cardHours: 1,
    billFrom: ['SauceTV', 'support@saucetv.example'],
  },
  invoices: { validDays: 7 },
  referrals: { percent: 15 },
  legal: { terms: '', privacy: '', 'refund-policy': '', cookies: '', dmca: '' },
}

/**
 * Stored settings over the defaults: objects field by field, so that a field added later has its default; lists and plain
 * values whole. Fields the defaults do not know are kept for the schema to judge.
 */
export function withDefaults(base: unknown, stored: unknown): unknown {
  if (stored === undefined) return base
  if (!isRecord(base) || !isRecord(stored)) return stored
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(stored)) merged[key] = Object.hasOwn(base, key) ? withDefaults(base[key], value) : value
  return merged
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

export const legalTitles: Record<LegalDocument, string> = {
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  'refund-policy': 'Refund Policy',
  cookies: 'Cookie Policy',
  dmca: 'DMCA',
}

export type TextBlock = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: string[] }
/** An operator's plain text in blocks: `## ` begins a heading, `- ` an item, a blank line a paragraph. Nothing else has a meaning. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  for (const part of text.replaceAll('\r\n', '\n').split(/\n{2,}/)) {
    const open: string[] = []
    const close = () => {
      if (open.length > 0) blocks.push({ kind: 'paragraph', text: open.splice(0).join(' ') })
    }
    for (const line of part.split('\n').map((each) => each.trim())) {
      const last = blocks.at(-1)
      if (line === '') continue
      if (line.startsWith('## ')) {
        close()
        blocks.push({ kind: 'heading', text: line.slice(3) })
      } else if (line.startsWith('- ')) {
        close()
        if (last?.kind === 'list') last.items.push(line.slice(2))
        else blocks.push({ kind: 'list', items: [line.slice(2)] })
      } else open.push(line)
    }
    close()
  }
  return blocks
}

import { type CSSProperties, createContext } from 'react'
import type { MailBody } from '#kit/mail-body.ts'

// Email clients support neither CSS variables nor oklch: these are the light values of tokens.css in hex. The dark ones are in `styleSheet`. The accent colors
// come from the brand of the email.
export const colors = {
  page: '#f6f1e9',
  card: '#fffefd',
  line: '#e3ddd4',
  text: '#231812',
  soft: '#64564e',
  onBrand: '#210e07',
  plain: '#f9f5ee',
  good: '#d6f7dc',
  goodText: '#196632',
  warn: '#feedc6',
  warnText: '#7d4f12',
} as const

/** The eight colors of the test pattern: the seventh is the accent color. */
export const brandBars = (accent: string): string[] => [
  '#f3e7ca',
  '#fbc837',
  '#8fc54d',
  '#3aa4a4',
  '#67addd',
  '#8f3465',
  accent,
  '#3e2418',
]

/** The accent colors of the email that is being rendered. */
export const MailAccent = createContext<MailBody['brand']['accent']>({
  button: '#fc641e',
  link: '#b23308',
  darkLink: '#faa067',
})

export const font: CSSProperties = {
  fontFamily: "'Instrument Sans', -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
}
export const paragraph: CSSProperties = { ...font, margin: 0, color: colors.text, fontSize: '16px', lineHeight: '25px' }
/** Breaks long URLs and words, so that they do not widen the page. */
export const wrapAnywhere: CSSProperties = { wordBreak: 'break-word', overflowWrap: 'anywhere' }

/** Styles that only some email clients support: dark mode, and smaller padding on phones. */
export const styleSheet = ({ link, darkLink }: MailBody['brand']['accent']): string => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; }
a { color: ${link}; }
@media (max-width: 620px) {
  .m-page { padding: 20px 10px !important; }
  .m-body { padding: 26px 22px 28px !important; }
  .m-title { font-size: 26px !important; line-height: 31px !important; }
  .m-action, .m-action a { display: block !important; width: auto !important; }
}
@media (prefers-color-scheme: dark) {
  .m-back, .m-page { background: #0d0806 !important; }
  .m-card { background: #1e1511 !important; border-color: #362b26 !important; }
  .m-text, .m-brand, .m-title { color: #f5f0e5 !important; }
  .m-soft { color: #b4ab9f !important; }
  .m-row { border-color: #362b26 !important; }
  .m-plain { background: #281e19 !important; color: #f5f0e5 !important; border-color: #362b26 !important; }
  .m-quote { background: #281e19 !important; }
  .m-good { background: #15311d !important; color: #7cdd93 !important; }
  .m-warn { background: #3b2b0b !important; color: #f6cc5f !important; }
  .m-line { color: #f5f0e5 !important; border-color: #6b5d55 !important; }
  a, .m-link { color: ${darkLink} !important; }
  .m-button { color: ${colors.onBrand} !important; }
  .m-line { color: #f5f0e5 !important; }
}`

import type { ComponentType } from 'react'
import { pagePart } from '#web/ui/hydration/page-part.ts'
import type { SettingSection } from '../admin-contract.ts'
import { type SectionName, sectionOf } from '../section-rules.ts'
import { ContactSetting } from './contact-setting.tsx'
import { CookiesSetting, DmcaSetting, PrivacySetting, RefundSetting, TermsSetting } from './legal-settings.ts'
import type { Stored } from './use-setting-form.ts'

/** Returns a function that tells whether the URL names this section. */
export const isInUrl = (name: SectionName) => () =>
  sectionOf(Object.fromEntries(new URLSearchParams(location.search))).name === name

const load = () => import('./own-panels.ts')
const MailServerPanel = pagePart(load, 'MailServerPanel', isInUrl('mail-server'))
const MailboxPanel = pagePart(load, 'MailboxPanel', isInUrl('mailbox'))
const PaymentDeskSetting = pagePart(load, 'PaymentDeskSetting', isInUrl('payment-desk'))
const ProcessorsPanel = pagePart(load, 'ProcessorsPanel', isInUrl('processors'))
const ProvisioningPanel = pagePart(load, 'ProvisioningPanel', isInUrl('provisioning'))
const AccountsSetting = pagePart(load, 'AccountsSetting', isInUrl('accounts'))
const ClaimsSetting = pagePart(load, 'ClaimsSetting', isInUrl('claims'))
const InvoicesSetting = pagePart(load, 'InvoicesSetting', isInUrl('invoices'))
const ReferralsSetting = pagePart(load, 'ReferralsSetting', isInUrl('referrals'))
const RenewalsSetting = pagePart(load, 'RenewalsSetting', isInUrl('renewals'))
const TrialsSetting = pagePart(load, 'TrialsSetting', isInUrl('trials'))
const AppsSetting = pagePart(load, 'AppsSetting', isInUrl('apps'))
const ChatSetting = pagePart(load, 'ChatSetting', isInUrl('chat'))
const PaymentsSetting = pagePart(load, 'PaymentsSetting', isInUrl('payments'))
const SocialsSetting = pagePart(load, 'SocialsSetting', isInUrl('socials'))

/**
 * The forms of the sections that are saved as a setting or a part of one. A section needs a form, a label, a schema in the contract and a mapping on the
 * server.
 */
export const settingForms: Record<SettingSection, ComponentType<{ stored: Stored }>> = {
  contact: ContactSetting,
  apps: AppsSetting,
  payments: PaymentsSetting,
  'payment-desk': PaymentDeskSetting,
  invoices: InvoicesSetting,
  referrals: ReferralsSetting,
  renewals: RenewalsSetting,
  claims: ClaimsSetting,
  trials: TrialsSetting,
  socials: SocialsSetting,
  chat: ChatSetting,
  accounts: AccountsSetting,
  terms: TermsSetting,
  privacy: PrivacySetting,
  'refund-policy': RefundSetting,
  cookies: CookiesSetting,
  dmca: DmcaSetting,
}

/** The sections with their own endpoints, except for those that are features of their own. */
export const ownPanels: Record<
  Exclude<SectionName, SettingSection | 'brand' | 'staff' | 'webhooks' | 'api-keys'>,
  ComponentType
> = {
  'mail-server': MailServerPanel,
  mailbox: MailboxPanel,
  processors: ProcessorsPanel,
  provisioning: ProvisioningPanel,
}

import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { SettingSection } from '../admin-contract.ts'
import type { SectionName } from '../section-rules.ts'
import { ContactSetting } from './contact-setting.tsx'
import { CookiesSetting, DmcaSetting, PrivacySetting, RefundSetting, TermsSetting } from './legal-settings.ts'
import type { Stored } from './use-setting-form.ts'

const load = () => import('./own-panels.ts')
const MailServerPanel = lazyRouteComponent(load, 'MailServerPanel')
const MailboxPanel = lazyRouteComponent(load, 'MailboxPanel')
const PaymentDeskSetting = lazyRouteComponent(load, 'PaymentDeskSetting')
const ProcessorsPanel = lazyRouteComponent(load, 'ProcessorsPanel')
const ProvisioningPanel = lazyRouteComponent(load, 'ProvisioningPanel')
const AccountsSetting = lazyRouteComponent(load, 'AccountsSetting')
const ClaimsSetting = lazyRouteComponent(load, 'ClaimsSetting')
const InvoicesSetting = lazyRouteComponent(load, 'InvoicesSetting')
const ReferralsSetting = lazyRouteComponent(load, 'ReferralsSetting')
const RenewalsSetting = lazyRouteComponent(load, 'RenewalsSetting')
const TrialsSetting = lazyRouteComponent(load, 'TrialsSetting')
const AppsSetting = lazyRouteComponent(load, 'AppsSetting')
const ChatSetting = lazyRouteComponent(load, 'ChatSetting')
const PaymentsSetting = lazyRouteComponent(load, 'PaymentsSetting')
const SocialsSetting = lazyRouteComponent(load, 'SocialsSetting')
// Server rendering is synchronous, so the components must be loaded beforehand.
if (import.meta.env.SSR)
  await Promise.all(
    [
      MailServerPanel,
      MailboxPanel,
      ProcessorsPanel,
      ProvisioningPanel,
      AccountsSetting,
      ClaimsSetting,
      InvoicesSetting,
      ReferralsSetting,
      RenewalsSetting,
      TrialsSetting,
      AppsSetting,
      ChatSetting,
      PaymentsSetting,
      PaymentDeskSetting,
      SocialsSetting,
    ].map((panel) => panel.preload?.()),
  )

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

import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { SettingSection } from '../admin-contract.ts'
import { AccountsSetting } from './accounts-setting.tsx'
import { AppsSetting } from './apps-setting.tsx'
import { ChatSetting } from './chat-setting.tsx'
import { ClaimsSetting } from './claims-setting.tsx'
import { ContactSetting } from './contact-setting.tsx'
import { InvoicesSetting } from './invoices-setting.tsx'
import { CookiesSetting, DmcaSetting, PrivacySetting, RefundSetting, TermsSetting } from './legal-settings.ts'
import { PaymentsSetting } from './payments-setting.tsx'
import { ReferralsSetting } from './referrals-setting.tsx'
import { RenewalsSetting } from './renewals-setting.tsx'
import { SocialsSetting } from './socials-setting.tsx'
import { TrialsSetting } from './trials-setting.tsx'
import type { Stored } from './use-setting-form.ts'

const load = () => import('./own-panels.ts')
const MailboxPanel = lazyRouteComponent(load, 'MailboxPanel')
const PaymentDeskSetting = lazyRouteComponent(load, 'PaymentDeskSetting')
const ProcessorsPanel = lazyRouteComponent(load, 'ProcessorsPanel')
const ProvisioningPanel = lazyRouteComponent(load, 'ProvisioningPanel')
// Server rendering is synchronous, so the components are loaded before.
if (import.meta.env.SSR)
  await Promise.all(
    [MailboxPanel, PaymentDeskSetting, ProcessorsPanel, ProvisioningPanel].map((panel) => panel.preload?.()),
  )

export interface FormSection {
  /** Its name in the URL and in the contract. */
  value: SettingSection
  label: string
  Form: ComponentType<{ stored: Stored }>
}
/** A section with its own endpoints. */
interface OwnSection {
  value: string
  label: string
  Content: ComponentType
}
type Section = FormSection | OwnSection

/** The sections in order; the first is the default. A section needs a form, an entry here, a schema in the contract and a mapping on the server. */
export const sections: readonly [Section, ...Section[]] = [
  { value: 'contact', label: 'Contact', Form: ContactSetting },
  { value: 'apps', label: 'Apps, Player and Setup Guide', Form: AppsSetting },
  { value: 'payments', label: 'Payments', Form: PaymentsSetting },
  { value: 'mailbox', label: 'Payment Mailbox', Content: MailboxPanel },
  { value: 'processors', label: 'Payment Processors', Content: ProcessorsPanel },
  { value: 'payment-desk', label: 'Payment Desk', Form: PaymentDeskSetting },
  { value: 'invoices', label: 'Invoices', Form: InvoicesSetting },
  { value: 'referrals', label: 'Referrals', Form: ReferralsSetting },
  { value: 'renewals', label: 'Renewals', Form: RenewalsSetting },
  { value: 'claims', label: 'Marketing Claims', Form: ClaimsSetting },
  { value: 'trials', label: 'Trials', Form: TrialsSetting },
  { value: 'provisioning', label: 'Provisioning', Content: ProvisioningPanel },
  { value: 'socials', label: 'Social Links', Form: SocialsSetting },
  { value: 'chat', label: 'Live Chat', Form: ChatSetting },
  { value: 'accounts', label: 'Accounts and Security', Form: AccountsSetting },
  { value: 'terms', label: 'Terms of Service', Form: TermsSetting },
  { value: 'privacy', label: 'Privacy Policy', Form: PrivacySetting },
  { value: 'refund-policy', label: 'Refund Policy', Form: RefundSetting },
  { value: 'cookies', label: 'Cookie Policy', Form: CookiesSetting },
  { value: 'dmca', label: 'DMCA', Form: DmcaSetting },
]

import { createElement } from 'react'
import type { LegalDocument } from '../contract.ts'
import { LegalSetting } from './legal-setting.tsx'
import type { Stored } from './use-setting-form.ts'

const of = (document: LegalDocument) =>
  function LegalDocumentSetting({ stored }: { stored: Stored }) {
    return createElement(LegalSetting, { document, stored })
  }

export const TermsSetting = of('terms')
export const PrivacySetting = of('privacy')
export const RefundSetting = of('refund-policy')
export const CookiesSetting = of('cookies')
export const DmcaSetting = of('dmca')

import { createElement } from 'react'
import type { LegalDocument } from '../contract.ts'
import { LegalSetting } from './legal-setting.tsx'
import type { Stored } from './use-setting-form.ts'

const legalSetting = (document: LegalDocument) =>
  function LegalDocumentSetting({ stored }: { stored: Stored }) {
    return createElement(LegalSetting, { document, stored })
  }

export const TermsSetting = legalSetting('terms')
export const PrivacySetting = legalSetting('privacy')
export const RefundSetting = legalSetting('refund-policy')
export const CookiesSetting = legalSetting('cookies')
export const DmcaSetting = legalSetting('dmca')

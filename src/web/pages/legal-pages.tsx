import { LegalPage } from '#features/settings/web/legal-page.tsx'

// A page is named in the route table without properties: one for each address.
export const TermsPage = () => <LegalPage document="terms" />
export const PrivacyPage = () => <LegalPage document="privacy" />
export const RefundPolicyPage = () => <LegalPage document="refund-policy" />
export const CookiePolicyPage = () => <LegalPage document="cookies" />
export const DmcaPage = () => <LegalPage document="dmca" />

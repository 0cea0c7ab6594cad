/** The sections of the settings by their name in the URL, in the order of the page. */
export const settingGroups = [
  {
    label: 'Site',
    sections: {
      brand: 'Brand',
      contact: 'Contact',
      apps: 'Apps, Player and Setup Guide',
      claims: 'Marketing Claims',
      socials: 'Social Links',
      chat: 'Live Chat',
    },
  },
  {
    label: 'Money',
    sections: {
      payments: 'Payments',
      mailbox: 'Payment Mailbox',
      processors: 'Payment Processors',
      'payment-desk': 'Payment Desk',
      invoices: 'Invoices',
      referrals: 'Referrals',
      renewals: 'Renewals',
    },
  },
  { label: 'Service', sections: { trials: 'Trials', provisioning: 'Provisioning' } },
  {
    label: 'System',
    sections: {
      'mail-server': 'Mail Server',
      accounts: 'Accounts and Security',
      staff: 'Staff',
      webhooks: 'Webhooks',
      'api-keys': 'API Keys',
    },
  },
  {
    label: 'Legal',
    sections: {
      terms: 'Terms of Service',
      privacy: 'Privacy Policy',
      'refund-policy': 'Refund Policy',
      cookies: 'Cookie Policy',
      dmca: 'DMCA',
    },
  },
] as const

type Sections = (typeof settingGroups)[number]['sections']
/** The name of a section in the URL. */
export type SectionName = Sections extends infer S ? (S extends object ? keyof S : never) : never

/** All sections with their label. The first is shown by default. */
export const settingLabels: readonly { name: SectionName; label: string }[] = settingGroups.flatMap(({ sections }) =>
  Object.entries(sections).map(([name, label]) => ({ name: name as SectionName, label })),
)

/** Returns the section that the query parameters of /admin/settings name. */
export const sectionOf = ({ state, section }: Record<string, unknown>) => {
  // After the authorization, a mail service redirects the administrator back with its response in the URL, without a section.
  const wanted = state === undefined ? section : 'mailbox'
  return settingLabels.find(({ name }) => name === wanted) ?? settingLabels[0]!
}

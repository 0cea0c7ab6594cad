import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { FaqList } from '#features/catalog/web/faq-list.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs/tabs.tsx'
import { ComingSoonGuide } from './setup/coming-soon-guide.tsx'
import { FirestickGuide } from './setup/firestick-guide.tsx'

const tabs = [
  { value: 'firestick', label: 'Amazon Firestick', guide: <FirestickGuide /> },
  { value: 'android', label: 'Android', guide: <ComingSoonGuide device="Android" /> },
  { value: 'other', label: 'Other Devices', guide: <ComingSoonGuide device="other devices" /> },
] as const
type Guide = (typeof tabs)[number]['value']

const questions = [
  {
    id: 1,
    question: 'Where do I find my username and password?',
    answer:
      'In the IPTV Account tab of My Account, once your payment has been verified. They are different from your login for this site.',
  },
  {
    id: 2,
    question: 'The app says that my login is wrong. What can I do?',
    answer:
      'Type both manually, with the exact capitalization and no trailing space. If it still fails, check in My Account that your subscription is active, then contact support.',
  },
  {
    id: 3,
    question: 'Can I set up more than one device?',
    answer: 'Yes, as many as you like. Your plan sets how many of them can play at once.',
  },
]

/** All guides are in the HTML: without scripts they are shown one below the other. */
export function SetupPage() {
  const { device } = useSearch({ from: '/setup' })
  const navigate = useNavigate()
  const chosen = tabs.find((tab) => tab.value === device)?.value ?? 'firestick'
  const choose = (next: Guide) =>
    void navigate({
      to: '/setup',
      search: { device: next === 'firestick' ? undefined : next },
      replace: true,
      resetScroll: false,
    })
  return (
    <div className="wrap page page-text">
      <PageHeader
        title="Setup Guide"
        lead="Start watching in four steps. Have your IPTV username and password ready."
      />
      <Tabs id="setup" label="Device" tabs={tabs} value={chosen} onChange={choose} />
      {tabs.map(({ value, guide }) => (
        <div
          key={value}
          role="tabpanel"
          id={`setup-panel-${value}`}
          aria-labelledby={`setup-tab-${value}`}
          tabIndex={0}
          className={clsx('setup-panel', value !== chosen && 'folded')}
        >
          {guide}
        </div>
      ))}
      <h2 className="mt-14 mb-6 text-2xl">Setup questions</h2>
      <FaqList faqs={questions} group="setup-question" />
    </div>
  )
}

import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { safePath } from '#kit/safe-path.ts'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { ChosenPlan } from './chosen-plan.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'

const tabs = [
  { value: 'login', label: 'Login' },
  { value: 'register', label: 'Register' },
] as const

const headings = {
  login: { title: 'Log in', lead: 'Welcome back.' },
  register: { title: 'Create your account', lead: 'One account for every screen. No long-term contract.' },
}

/** /auth and /register: one screen that shows Login first unless the URL or an invitation selects Register. */
export function AuthPage() {
  // Both routes read their search the same way (`authSearch` in the route table).
  const search = useSearch({ strict: false }) as { redirect?: string; ref?: string; tab?: string }
  const pathname = useLocation({ select: (location) => location.pathname })
  const navigate = useNavigate()

  // A visitor who chose a plan but has no order yet is most likely new.
  const isNew = /^\/checkout\?planId=\d+$/.test(search.redirect ?? '')
  const initialTab = search.ref !== undefined || pathname === '/register' || isNew ? 'register' : 'login'
  const tab = search.tab === 'login' || search.tab === 'register' ? search.tab : initialTab
  const choose = (next: 'login' | 'register') =>
    void navigate({ to: '.', search: (before) => ({ ...before, tab: next }), replace: true, resetScroll: false })
  const { title, lead } = headings[tab]

  return (
    <AuthFrame title={title} lead={safePath(search.redirect) === '/' ? lead : 'Log in or register to continue.'}>
      <ChosenPlan redirect={safePath(search.redirect)} />
      <Tabs id="auth" label="Log in or register" tabs={tabs} value={tab} onChange={choose} />
      <TabPanel id="auth" value={tab} className="pt-6">
        {tab === 'login' ? <LoginForm /> : <RegisterForm invitedBy={search.ref} />}
      </TabPanel>
    </AuthFrame>
  )
}

import { useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { TabPanel } from '#web/ui/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { safePath } from '../rules.ts'
import { AuthStage } from './auth-stage.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'
import { usePasswordFocus } from './use-password-focus.ts'

const tabs = [
  { value: 'login', label: 'Login' },
  { value: 'register', label: 'Register' },
] as const

const words = {
  login: { title: 'Log in', lead: 'Good to see you again.' },
  register: { title: 'Create your account', lead: 'One account for every screen. No long-term contract.' },
}

/** /auth and /register: one screen, Login first unless the address or an invitation says otherwise. */
export function AuthPage() {
  const { data: site } = useSuspenseQuery(query(getSite))
  // Both routes read their search the same way (`authSearch` in the route table).
  const search = useSearch({ strict: false }) as { redirect?: string; ref?: string; tab?: string }
  const pathname = useLocation({ select: (location) => location.pathname })
  const navigate = useNavigate()

  const start = search.ref !== undefined || pathname === '/register' ? 'register' : 'login'
  const tab = search.tab === 'login' || search.tab === 'register' ? search.tab : start
  const choose = (next: 'login' | 'register') => void navigate({ to: '.', search: (before) => ({ ...before, tab: next }), replace: true, resetScroll: false })
  const { title, lead } = words[tab]

  return (
    <div className="grid lg:min-h-[calc(100svh-4.5rem)] lg:grid-cols-2">
      <AuthStage claims={site.claims} mascot={site.brand.mascot} lookAway={usePasswordFocus()} />
      <div className="grid content-center px-[var(--gutter)] py-10 lg:py-16">
        <div className="mx-auto w-full max-w-[32rem]">
          <h1 tabIndex={-1}>{title}</h1>
          <p className="mt-3 mb-6 text-fg-2">{safePath(search.redirect) === '/' ? lead : 'Log in or register to continue.'}</p>
          <Tabs id="auth" label="Log in or register" tabs={tabs} value={tab} onChange={choose} />
          <TabPanel id="auth" value={tab} className="pt-6">
            {tab === 'login' ? <LoginForm /> : <RegisterForm invitedBy={search.ref} />}
          </TabPanel>
        </div>
      </div>
    </div>
  )
}

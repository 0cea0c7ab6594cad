import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AuthFrame } from './auth-frame.tsx'

// Its code comes apart from the page's, so that the page is there at once. The server does not wait while it renders: it has to have it before.
const ForgotPasswordForm = lazyRouteComponent(() => import('./forgot-password-form.tsx'), 'ForgotPasswordForm')
if (import.meta.env.SSR) await ForgotPasswordForm.preload?.()

export function ForgotPasswordPage() {
  return (
    <AuthFrame
      title="Forgot your password?"
      lead="Enter the email address of your account. We send you a link to set a new password."
    >
      <Suspense fallback={<Skeleton className="h-56" />}>
        <ForgotPasswordForm />
      </Suspense>
    </AuthFrame>
  )
}

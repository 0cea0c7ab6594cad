import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AuthFrame } from './auth-frame.tsx'

// Loaded separately, so that the page renders first. Server rendering is synchronous, so the server loads the component beforehand.
const ForgotPasswordForm = lazyRouteComponent(() => import('./forgot-password-form.tsx'), 'ForgotPasswordForm')
if (import.meta.env.SSR) await ForgotPasswordForm.preload?.()

export function ForgotPasswordPage() {
  return (
    <AuthFrame
      title="Forgot your password?"
      lead="Enter the email address of your account. We will send you a link to set a new password."
    >
      <Suspense fallback={<Skeleton className="h-56" />}>
        <ForgotPasswordForm />
      </Suspense>
    </AuthFrame>
  )
}

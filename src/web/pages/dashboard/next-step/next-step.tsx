import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getSite } from '#features/settings/contract.ts'
import { getOwnSubscription, putOffNextStep, type NextStep as Step } from '#features/subscriptions/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { DevicePicture } from '../../setup/device-picture.tsx'
import nextStepSheet from './next-step.css?url'

/** Suggests what a subscriber could do next, above the subscription. Not Now hides it for 7 days. Renders nothing if there is nothing to suggest. */
export function NextStep() {
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  const later = useSend(putOffNextStep, [getOwnSubscription])
  const { nextStep: step, unusedScreens, renewablePlanId, renewal, purchase } = subscription
  const isPutOff = useRef(false)
  // The pressed button disappears with the card, so the focus moves to the next step or the subscription.
  useEffect(() => {
    if (!isPutOff.current) return
    isPutOff.current = false
    const next = document.getElementById(step ? 'next-step-title' : 'subscription-title')
    if (next) next.tabIndex = -1
    next?.focus({ preventScroll: true })
  }, [step])
  if (!step || (step === 'renew' && (renewablePlanId === null || purchase))) return null
  const putOff = () => {
    isPutOff.current = true
    later.mutate(
      { body: { step } },
      {
        onSuccess: () => announce('Hidden for 7 days'),
        onError: (failure) => {
          isPutOff.current = false
          toast({ title: 'Not Saved', description: messageOf(failure), variant: 'destructive' })
        },
      },
    )
  }
  const texts: Record<Step, { title: string; text: string }> = {
    renew: {
      title: 'Renew before your plan ends',
      text: 'You lose no days by paying early: the new period starts when this one ends.',
    },
    device: {
      title: `Put ${site.brand.name} on another screen`,
      text: `${unusedScreens === 1 ? 'One screen of your plan has' : `${unusedScreens} screens of your plan have`} never been used. The setup guide shows each step.`,
    },
  }
  return (
    <section className="card next-step" aria-labelledby="next-step-title">
      <link rel="stylesheet" href={nextStepSheet} precedence="page" />
      <div className="next-step-picture">
        <DevicePicture device={step === 'renew' ? 'web' : 'firestick'} />
      </div>
      <div className="next-step-text">
        <p className="text-sm text-fg-2">Next step</p>
        <h2 id="next-step-title">{texts[step].title}</h2>
        <p className="text-fg-2">{texts[step].text}</p>
        <div className="flex flex-wrap gap-2.5 max-sm:*:flex-1">
          {step === 'renew' && renewablePlanId !== null ? (
            <ButtonLink
              to="/checkout"
              search={{
                planId: renewablePlanId,
                invoiceNumber: renewal?.planId === renewablePlanId ? renewal.invoiceNumber : undefined,
              }}
              variant="ink"
            >
              Renew Now
            </ButtonLink>
          ) : (
            <ButtonLink to="/setup" variant="ink">
              Open Setup Guide
            </ButtonLink>
          )}
          <Button variant="ghost" pending={later.isPending} onClick={putOff}>
            Not Now
          </Button>
        </div>
      </div>
    </section>
  )
}

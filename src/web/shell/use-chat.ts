import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Chat, getChatIdentity } from '#features/chat/contract.ts'
import { callOf } from '../data.ts'
import { isPublicPath } from '../public-paths.ts'
import { recall, remember } from './chat-memory.ts'
import { type ChatWidget, runningChat, startChat } from './chat-widget.ts'

export type ChatState = 'closed' | 'asking' | 'loading' | 'failed' | 'running'

/** The chat of a public page: nothing of it is fetched before the visitor has agreed. */
export function useChat(chat: Chat, userId: number | undefined) {
  const client = useQueryClient()
  const router = useRouter()
  const [state, setState] = useState<ChatState>(() => (runningChat() ? 'running' : 'closed'))

  const introduce = async (widget: ChatWidget) => {
    const known = recall('person')
    if (known !== null && known !== String(userId)) {
      widget.reset()
      remember('person', null)
    }
    if (userId === undefined) return
    const { identity } = await callOf(client)(getChatIdentity, {}).catch(() => ({ identity: null }))
    if (!identity) return
    widget.identify(identity)
    remember('person', String(userId))
  }

  const start = async () => {
    // This document was another page's: its policy lets nobody in.
    if (!isPublicPath(router.options.context.openedAt ?? '')) {
      remember('consent', 'open')
      await router.navigate({ href: router.state.location.publicHref, reloadDocument: true })
      return
    }
    remember('consent', 'agreed')
    setState('loading')
    try {
      const widget = await startChat(chat)
      await introduce(widget)
      widget.open()
      setState('running')
    } catch {
      setState('failed')
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the document is there
  useEffect(() => {
    if (recall('consent') === 'open') void start()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever logs out or in while the chat is open
  useEffect(() => {
    const widget = runningChat()
    if (widget) void introduce(widget)
  }, [userId])

  return {
    state,
    start,
    press: () => (recall('consent') ? void start() : setState('asking')),
    close: () => setState('closed'),
  }
}

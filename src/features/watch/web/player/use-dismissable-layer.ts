import { type RefObject, useEffect, useRef } from 'react'

/** Closes a layer over the picture when the viewer presses outside of it. When the layer closes, the focus returns to where it was before. */
export function useDismissableLayer(layer: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    const onPress = ({ target }: PointerEvent) => {
      if (!layer.current?.contains(target as Node)) close.current()
    }
    document.addEventListener('pointerdown', onPress)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      before?.focus()
    }
  }, [layer])
}

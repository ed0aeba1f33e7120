import { useEffect } from 'react'
import { toast, ToastContainer } from 'react-toastify/unstyled'
import { TOAST_MS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { hostToasts } from '#web/core/toast.ts'
import { Toast } from '#web/ui/Toast.tsx'
import 'react-toastify/ReactToastify.css'
import styles from '#web/ui/styles/Toast.module.css'

/** Toasts last 2.5 s, pause on hover and while the window is inactive, and can be dragged away. */
export function ToastHost() {
  const { t } = useText()
  useEffect(
    () =>
      hostToasts(({ text, kind, silent }) => {
        toast(
          ({ closeToast }) => (
            <Toast kind={kind} silent={silent} closeLabel={t('close')} onClose={() => closeToast()}>
              {text}
            </Toast>
          ),
          silent === true ? { role: 'presentation' } : {},
        )
      }),
    [t],
  )
  return (
    <ToastContainer
      className={styles.toasts ?? ''}
      position="top-right"
      autoClose={TOAST_MS}
      hideProgressBar
      closeButton={false}
      closeOnClick={false}
      pauseOnHover
      pauseOnFocusLoss
      draggable
      draggablePercent={80}
      transition={false}
      role="status"
      aria-label={t('notifications')}
    />
  )
}

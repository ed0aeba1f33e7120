/**
 * Runs in the head, before the first paint: a remembered theme and the signed-in state are marked on <html>, so that
 * neither the colours nor the header flash. The server hashes this text for its policy; it must not depend on data.
 */
export const themeScript =
  "try{var d=document.documentElement.dataset,s=localStorage,t=s.getItem('theme');" +
  "if(t=='light'||t=='dark')d.theme=t;if(s.getItem('auth'))d.signedIn=''}catch(e){}"

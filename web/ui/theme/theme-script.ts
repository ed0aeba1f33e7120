/**
 * Runs in the head, before the first paint: a remembered theme, the signed-in state and the focus mode of lessons are
 * marked on <html>, so that neither the colours nor the header flash. The server hashes this text for its policy; it must not depend on data.
 */
export const themeScript =
  "try{var d=document.documentElement.dataset,s=localStorage,t=s.getItem('theme');" +
  "if(t=='light'||t=='dark')d.theme=t;if(s.getItem('auth'))d.signedIn='';if(s.getItem('reading'))d.reading=''}catch(e){}"

/**
 * Runs in the head before the first paint and marks a stored theme, the sign-in and the focus mode on <html>, so that
 * nothing flashes. The server hashes this text for its Content-Security-Policy, so it must not depend on data.
 */
export const themeScript =
  "try{var d=document.documentElement.dataset,s=localStorage,t=s.getItem('theme');" +
  "if(t=='light'||t=='dark')d.theme=t;if(s.getItem('auth'))d.signedIn='';if(s.getItem('reading'))d.reading=''}catch(e){}"

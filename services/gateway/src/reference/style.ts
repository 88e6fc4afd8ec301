/** The style of all pages, inside each: one request shows the page. Colours have a contrast of 4.5 to 1 at least (WCAG AA), in light and in dark. */
export const STYLE = `
:root{color-scheme:light dark;--text:#1d2329;--soft:#57606a;--page:#fff;--box:#f5f7f9;--line:#d5dbe1;--link:#0b57b7}
@media(prefers-color-scheme:dark){:root{--text:#e4e8ec;--soft:#a3adb8;--page:#14181d;--box:#1d232a;--line:#343c46;--link:#7db8ff}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem}
body{margin:0;color:var(--text);background:var(--page);font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main{max-width:54rem;padding:1rem 1rem 4rem;margin:0 auto;min-width:0}
h1{font-size:1.9rem;line-height:1.25}
h2{margin:3rem 0 .8rem;padding-top:1rem;border-top:1px solid var(--line);font-size:1.4rem}
h3{margin:2rem 0 .5rem;font-size:1.12rem}
h2>a,h3>a,h4>a{color:inherit;text-decoration:none}
h2>a:hover,h3>a:hover,h4>a:hover{text-decoration:underline}
code,pre{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
pre{overflow-x:auto;margin:.6rem 0;padding:.8rem;background:var(--box);border:1px solid var(--line);border-radius:6px}
pre code{font-size:1em}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-bottom:1px solid var(--line);min-width:5rem}
td code{white-space:nowrap}
dl{margin:.4rem 0}
dt{padding-top:.5rem;border-top:1px solid var(--line)}
dt code{font-weight:600}
dt span{color:var(--soft);font-size:.9em}
dt span code{font-weight:400;font-size:.92em}
dt strong{color:var(--text)}
dd{margin:.1rem 0 .5rem}
dd dl{margin-left:.2rem;padding-left:.8rem;border-left:2px solid var(--line)}
details{margin:.4rem 0}
summary{cursor:pointer;color:var(--link);width:fit-content}
dt:target,h2:target,h3:target{background:color-mix(in srgb,var(--link) 14%,transparent)}
.tabs{border:0;padding:0;margin:1rem 0;min-width:0}
.tabs input{position:absolute;opacity:0}
.tabs label{display:inline-block;padding:.25rem .6rem;margin:0 .25rem .25rem 0;border:1px solid var(--line);border-radius:6px;font-size:.9rem;cursor:pointer}
.tabs input:checked+label{background:var(--link);border-color:var(--link);color:var(--page)}
.tabs input:focus-visible+label{outline:2px solid var(--link);outline-offset:2px}
.tabs pre{display:none}
.tabs input:nth-of-type(1):checked~pre:nth-of-type(1),.tabs input:nth-of-type(2):checked~pre:nth-of-type(2),.tabs input:nth-of-type(3):checked~pre:nth-of-type(3),.tabs input:nth-of-type(4):checked~pre:nth-of-type(4),.tabs input:nth-of-type(5):checked~pre:nth-of-type(5){display:block}
.unseen,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
body>header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:center;padding:.6rem 1rem;background:var(--page);border-bottom:1px solid var(--line)}
header form{position:relative;margin-left:auto;flex:0 1 22rem}
header input{width:100%;padding:.35rem .6rem;font:inherit;color:inherit;background:var(--box);border:1px solid var(--soft);border-radius:6px}
::placeholder{color:var(--soft);opacity:1}
header output{position:absolute;right:0;top:100%;font-size:.8rem;color:var(--soft);background:var(--page)}
header form ul{position:absolute;right:0;top:calc(100% + 1.3rem);width:min(30rem,calc(100vw - 2rem));max-height:70vh;overflow:auto;margin:0;padding:0;list-style:none;background:var(--page);border:1px solid var(--line);border-radius:6px}
header form ul:empty{display:none}
header li a{display:block;padding:.35rem .7rem;text-decoration:none}
header li small{display:block;color:var(--soft);overflow-wrap:anywhere}
nav{padding:1rem;border-top:1px solid var(--line)}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.2rem .5rem;border-radius:6px;text-decoration:none}
nav [aria-current]{background:var(--box);font-weight:600}
footer{margin-top:4rem;font-size:.9rem}
@media(min-width:60rem){body:has(nav){display:grid;grid-template-columns:15rem minmax(0,1fr)}body>header{grid-column:1/-1}nav{grid-column:1;grid-row:2;position:sticky;top:3.6rem;align-self:start;max-height:calc(100vh - 3.6rem);overflow:auto;border-top:0}main{grid-column:2;grid-row:2;width:100%}.narrow{display:none}}
@media(max-width:30rem){header form{flex-basis:100%}}
@media(max-width:44rem){td code{white-space:normal;overflow-wrap:anywhere}.rows,.rows tbody,.rows tr,.rows td{display:block}.rows thead{display:none}.rows tr{padding:.4rem 0;border-bottom:1px solid var(--line)}.rows td{border:0;padding:.1rem 0}.rows td::before{content:attr(data-head) ": ";color:var(--soft)}}
@media print{body>header,nav,.tabs label,footer{display:none}body:has(nav){display:block}pre{white-space:pre-wrap;border-color:#999}h2,h3{break-after:avoid}:root{--text:#000;--page:#fff;--box:#fff;--soft:#333;--link:#000}}
`;

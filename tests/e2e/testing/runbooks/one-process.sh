# What the commands of a runbook are in one process, as the table of docs/runbooks/README.md has them. SVC: its svc.mjs; LOG: what it has logged; SERVES: its
# process. The folder of the script has .data and .data-backups.
svc() { "$NODE" "$SVC" "$@"; }
npm() {
  until [ "$1" = -- ]; do shift; done
  shift && svc "$@"
}
curl() { command curl "${@//localhost:3001/127.0.0.1:$OPS_PORT}"; }
systemctl() { ps -o pid,etime,stat,args -p "$SERVES"; }
kubectl() {
  [ "$1" = -n ] && shift 2
  case "$*" in
    'exec '*)
      until [ "$1" = -- ]; do shift; done
      shift && "$@"
      ;;
    'logs '*) sed 's/^/[pod] /' "$LOG" ;;
    'get secret '*SECRETS_KEY*) "$NODE" -p 'JSON.parse(fs.readFileSync(".data/secrets.json", "utf8")).rootKey' | base64 -w 0 ;;
    'get pods '*' -o name') echo pod/one ;;
    'get pod'* | 'describe pod'*) systemctl status ;;
    'top pods'*) svc admin metrics --match process_ ;;
    'get podmonitor'*) ;; # of Kubernetes alone
    *) echo "no form in one process: kubectl $*" ;;
  esac
}

{{- /* A number alone is bytes, or whole processors. A request above its limit is a pod that is never made. */}}
{{- define "service.quantities" -}}
{{- range $kind, $quantities := .Values.resources }}
{{- range $name, $given := $quantities }}
{{- $text := include "service.text" $given }}
{{- if and (eq $name "memory") (regexMatch "^[0-9]{1,7}$" $text) }}
{{- fail (printf "%s: resources.%s.memory is %s, which is so many bytes: write %sMi" $.Chart.Name $kind $text $text) }}
{{- end }}
{{- if and (eq $name "memory") (hasSuffix "m" $text) }}
{{- fail (printf "%s: resources.%s.memory is %s, which is thousandths of a byte: write %sMi" $.Chart.Name $kind $text (trimSuffix "m" $text)) }}
{{- end }}
{{- if and (eq $name "cpu") (regexMatch "^[0-9]{3,}$" $text) }}
{{- fail (printf "%s: resources.%s.cpu is %s, which is so many processors: write %sm" $.Chart.Name $kind $text $text) }}
{{- end }}
{{- end }}
{{- end }}
{{- $limits := .Values.resources.limits }}
{{- range $name, $requested := .Values.resources.requests }}
{{- with get ($limits | default dict) $name }}
{{- if gt (include "service.amount" $requested | float64) (include "service.amount" . | float64) }}
{{- fail (printf "%s: resources.requests.%s is %v, above resources.limits.%s, which is %v: no pod would be made" $.Chart.Name $name $requested $name .) }}
{{- end }}
{{- end }}
{{- end }}
{{- with ($limits | default dict).memory }}
{{- if lt (include "service.amount" . | float64) 100663296.0 }}
{{- fail (printf "%s: resources.limits.memory is %v, less than the process has when it idles: 96Mi at least" $.Chart.Name .) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* A quantity of Kubernetes as a number: 1Ki is 1024, 100m is 0.1. */}}
{{- define "service.amount" -}}
{{- $text := include "service.text" . }}
{{- $units := dict "m" 0.001 "k" 1000.0 "M" 1000000.0 "G" 1000000000.0 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 }}
{{- $unit := regexFind "[a-zA-Z]+$" $text }}
{{- mulf (trimSuffix $unit $text | float64) (ternary 1.0 (get $units $unit) (eq $unit "")) }}
{{- end }}

{{- /* After its sleep a process takes up to 25 s to finish. */}}
{{- define "service.stopping" -}}
{{- if hasKey .Values "preStopSleepSeconds" }}
{{- $least := add .Values.preStopSleepSeconds 30 }}
{{- if lt (int64 .Values.terminationGracePeriodSeconds) $least }}
{{- fail (printf "%s: terminationGracePeriodSeconds is %v, and the process would be killed at its work: with preStopSleepSeconds %v it is %d at least" .Chart.Name .Values.terminationGracePeriodSeconds .Values.preStopSleepSeconds $least) }}
{{- end }}
{{- if and (eq (int .Values.preStopSleepSeconds) 0) (not .Values.settings.linger) }}
{{- fail (printf "%s: preStopSleepSeconds is 0 and settings.linger is empty: requests would still be sent to a pod that has ended. Set one of them" .Chart.Name) }}
{{- end }}
{{- end }}
{{- end }}

{{- define "service.replicaCounts" -}}
{{- if hasKey .Values "replicas" }}
{{- $least := include "service.leastReplicas" . | int }}
{{- with .Values.podDisruptionBudget }}
{{- if and .enabled (gt $least 1) (ge (int .maxUnavailable) $least) }}
{{- fail (printf "%s: podDisruptionBudget.maxUnavailable is %v, and there may be %d pods: all of them could be evicted at once. Set %d at most" $.Chart.Name .maxUnavailable $least (sub $least 1)) }}
{{- end }}
{{- end }}
{{- if and (.Values.autoscaling).enabled (not (dig "requests" "cpu" "" .Values.resources)) }}
{{- fail (printf "%s: autoscaling.enabled counts the use of the requested CPU, and resources.requests.cpu is empty" .Chart.Name) }}
{{- end }}
{{- if and (.Values.development).setupFile (.Values.autoscaling).enabled }}
{{- fail (printf "%s: development.setupFile is for one pod, and autoscaling.enabled makes several: each would make accounts of its own" .Chart.Name) }}
{{- end }}
{{- end }}
{{- end }}

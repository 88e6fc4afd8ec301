{{- /* Not empty when a scaler sets the number of replicas: the Deployment then names none. */}}
{{- define "service.isScaled" -}}
{{- range $name := list "autoscaling" "keda" }}
{{- with get $.Values $name }}
{{- if gt (int .minReplicas) (int .maxReplicas) }}
{{- fail (printf "%s.minReplicas is %v, above %s.maxReplicas, which is %v" $name .minReplicas $name .maxReplicas) }}
{{- end }}
{{- if .enabled }}yes{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "service.leastReplicas" -}}
{{- if (.Values.autoscaling).enabled }}{{ .Values.autoscaling.minReplicas }}
{{- else if (.Values.keda).enabled }}{{ .Values.keda.minReplicas }}
{{- else }}{{ .Values.replicas }}{{ end }}
{{- end }}

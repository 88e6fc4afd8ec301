{{- /* Not empty when a scaler sets the number of replicas: the Deployment then names none. */}}
{{- define "service.isScaled" -}}
{{- if or (.Values.autoscaling).enabled (.Values.keda).enabled }}yes{{ end }}
{{- end }}

{{- define "service.leastReplicas" -}}
{{- if (.Values.autoscaling).enabled }}{{ .Values.autoscaling.minReplicas }}
{{- else if (.Values.keda).enabled }}{{ .Values.keda.minReplicas }}
{{- else }}{{ .Values.replicas }}{{ end }}
{{- end }}

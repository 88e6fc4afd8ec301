{{- /* Settings of Kafka that go together. */}}
{{- define "service.kafkaMistakes" -}}
{{- if hasKey .Values.settings "kafkaBrokers" }}
{{- $settings := include "service.settings" . | fromYaml }}
{{- $isTls := eq (toString $settings.KAFKA_TLS) "true" }}
{{- if and $settings.KAFKA_SASL_MECHANISM (not $settings.KAFKA_USERNAME) }}
{{- fail (printf "%s: kafkaSaslMechanism is %s and kafkaUsername is empty: set both" .Chart.Name $settings.KAFKA_SASL_MECHANISM) }}
{{- end }}
{{- if and $settings.KAFKA_USERNAME (not $settings.KAFKA_SASL_MECHANISM) }}
{{- fail (printf "%s: kafkaUsername is %s and kafkaSaslMechanism is empty: set both" .Chart.Name $settings.KAFKA_USERNAME) }}
{{- end }}
{{- if and (eq (toString $settings.KAFKA_SASL_MECHANISM) "plain") (not $isTls) }}
{{- fail (printf "%s: kafkaSaslMechanism is plain, which sends the password as it is: set kafkaTls, or scram-sha-512" .Chart.Name) }}
{{- end }}
{{- with $settings.KAFKA_TLS_CA_FILE }}
{{- if not $isTls }}
{{- fail (printf "%s: kafkaTlsCaFile is %s and kafkaTls is not true: set both" $.Chart.Name .) }}
{{- end }}
{{- if and (hasPrefix "/certs/" .) (not $.Values.certificates.existingSecret) }}
{{- fail (printf "%s: kafkaTlsCaFile is %s, and no Secret is mounted there: set certificates.existingSecret" $.Chart.Name .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "service.edgeMistakes" -}}
{{- with .Values.ingress }}
{{- $known := list }}
{{- range .hosts }}
{{- if has .host $known }}
{{- fail (printf "%s: ingress.hosts has %s twice" $.Chart.Name .host) }}
{{- end }}
{{- $known = append $known .host }}
{{- end }}
{{- range .trustedProxies }}
{{- if hasSuffix "/0" . }}
{{- fail (printf "%s: ingress.trustedProxies has %s: anybody could name any address as his own. Name the networks of your proxies" $.Chart.Name .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Places that a setting names, and that the policy of the pods lets nothing out to. */}}
{{- define "service.egressMistakes" -}}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.extraEgress) }}
{{- with .Values.settings.clockWitnesses }}
{{- fail (printf "%s: settings.clockWitnesses is %s, and the network policy lets nothing out to it: allow it by networkPolicy.extraEgress" $.Chart.Name .) }}
{{- end }}
{{- if hasKey .Values.networkPolicy "authorities" }}
{{- $settings := include "service.settings" . | fromYaml }}
{{- range $variable, $name := include "service.testConnections" . | fromYaml }}
{{- $url := get $settings $variable | default "" }}
{{- /* A name without a dot is of this namespace, where a simulator is reached. */}}
{{- if and (contains "." (urlParse $url).host) (ne (include "service.portOfUrl" $url) "443") }}
{{- fail (printf "%s: settings.%s is %s, and the network policy lets out to port 443 alone: allow it by networkPolicy.extraEgress" $.Chart.Name $name $url) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

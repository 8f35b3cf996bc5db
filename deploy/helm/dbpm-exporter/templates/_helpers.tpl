{{- define "dbpm-exporter.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* At most 52 characters: a StatefulSet adds an ordinal and the hash of a revision to it, in a label of 63. */}}
{{- define "dbpm-exporter.fullname" -}}
{{- $name := include "dbpm-exporter.name" . }}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) }}
{{- default $full .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "dbpm-exporter.selectorLabels" -}}
app.kubernetes.io/name: {{ include "dbpm-exporter.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dbpm-exporter.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "dbpm-exporter.selectorLabels" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: {{ .Chart.Name }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "dbpm-exporter.serviceAccountName" -}}
{{- $own := .Values.serviceAccount.create | ternary (include "dbpm-exporter.fullname" .) "default" }}
{{- default $own .Values.serviceAccount.name }}
{{- end }}

{{- define "dbpm-exporter.image" -}}
{{- $repository := .Values.image.repository }}
{{- with .Values.image.registry }}{{ $repository = printf "%s/%s" . $repository }}{{ end }}
{{- if .Values.image.digest }}
{{- printf "%s@%s" $repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}

{{- define "dbpm-exporter.configMap" -}}
{{- default (include "dbpm-exporter.fullname" .) .Values.existingConfigMap }}
{{- end }}

{{/* The Secret of API keys; empty where there is none. */}}
{{- define "dbpm-exporter.keySecret" -}}
{{- $own := .Values.apiKeys.create | ternary (printf "%s-keys" (include "dbpm-exporter.fullname" .)) "" }}
{{- default $own .Values.apiKeys.existingSecret }}
{{- end }}

{{/* The Secret of the web configuration; empty where there is none. */}}
{{- define "dbpm-exporter.webSecret" -}}
{{- $own := empty .Values.webConfig.content | ternary "" (printf "%s-web" (include "dbpm-exporter.fullname" .)) }}
{{- default $own .Values.webConfig.existingSecret }}
{{- end }}

{{- define "dbpm-exporter.scheme" -}}
{{- $hasTls := or .Values.webConfig.tls (hasKey .Values.webConfig.content "tls_server_config") }}
{{- ternary "https" "http" $hasTls }}
{{- end }}

{{/* "true" where a login or a client certificate is needed; empty where none is. */}}
{{- define "dbpm-exporter.login" -}}
{{- $content := .Values.webConfig.content }}
{{- $clients := dig "tls_server_config" "client_auth_type" "NoClientCert" $content | hasPrefix "Require" }}
{{- if or .Values.webConfig.login (hasKey $content "basic_auth_users") $clients }}true{{ end }}
{{- end }}

{{- define "dbpm-exporter.telemetryPath" -}}
{{- dig "web" "telemetry_path" "/metrics" .Values.config }}
{{- end }}

{{/* The console that alerts and boards link to. */}}
{{- define "dbpm-exporter.consoleUrl" -}}
{{- dig "web" "external_url" "http://localhost:10062" .Values.config | trimSuffix "/" }}
{{- end }}

{{/* What only a restart takes up: all of the configuration where nothing reloads it, and the kind of TLS. */}}
{{- define "dbpm-exporter.restartParts" -}}
{{- $config := .Values.configReloader.enabled | ternary (pick .Values.config "web" "log") .Values.config }}
{{- $clients := dig "tls_server_config" "client_auth_type" "" .Values.webConfig.content }}
{{- dict "config" $config "scheme" (include "dbpm-exporter.scheme" .) "clients" $clients | toJson }}
{{- end }}

{{/* Says what is missing before anything is installed. */}}
{{- define "dbpm-exporter.check" -}}
{{- if not (or .Values.existingConfigMap .Values.config) }}
{{- fail "Nothing to watch: give config.accounts, or a ConfigMap with existingConfigMap. docs/kubernetes.md has an example." }}
{{- end }}
{{- if and .Values.existingConfigMap .Values.config }}
{{- fail "Both config and existingConfigMap are given: keep one of them." }}
{{- end }}
{{- if and .Values.config (not (dig "accounts" list .Values.config)) }}
{{- fail "config.accounts is missing: an account needs a name, a base_url and an api_key_file." }}
{{- end }}
{{- if and .Values.apiKeys.existingSecret .Values.apiKeys.create }}
{{- fail "Both apiKeys.existingSecret and apiKeys.create are given: keep one of them." }}
{{- end }}
{{- if and .Values.apiKeys.create (not .Values.apiKeys.values) }}
{{- fail "apiKeys.create makes a Secret of apiKeys.values, which is empty." }}
{{- end }}
{{- if and .Values.webConfig.existingSecret .Values.webConfig.content }}
{{- fail "Both webConfig.existingSecret and webConfig.content are given: keep one of them." }}
{{- end }}
{{- if and (gt (.Values.shards | int) 1) .Values.persistence.existingClaim }}
{{- fail "Each of several shards needs a volume of its own: leave persistence.existingClaim out." }}
{{- end }}
{{- if and .Values.configReloader.enabled (include "dbpm-exporter.login" .) }}
{{- fail "configReloader has no login and no client certificate: leave it out, and the pod is restarted when config changes." }}
{{- end }}
{{- end }}

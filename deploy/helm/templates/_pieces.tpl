{{- define "bazaar.name" -}}
{{- if contains "knowledge-bazaar" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-knowledge-bazaar" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "bazaar.selector" -}}
app.kubernetes.io/name: knowledge-bazaar
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bazaar.labels" -}}
{{ include "bazaar.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "bazaar.secret" -}}
{{ .Values.existingSecret | default (include "bazaar.name" .) }}
{{- end }}

{{- define "bazaar.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* What every pod begins with: who it is, and that it may do nothing else. */ -}}
{{- define "bazaar.pod" -}}
serviceAccountName: {{ include "bazaar.name" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: temporary
    emptyDir:
      sizeLimit: {{ .Values.temporary.sizeLimit }}
  - name: data
    emptyDir: {}
{{- end }}

{{- define "bazaar.container" -}}
image: {{ include "bazaar.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - configMapRef:
      name: {{ include "bazaar.name" . }}
  - secretRef:
      name: {{ include "bazaar.secret" . }}
volumeMounts:
  - name: temporary
    mountPath: /tmp
  - name: data
    mountPath: /data
{{- end }}

{{- /* Takes the context and the part, `node` or `worker`. */ -}}
{{- define "bazaar.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "bazaar.selector" .context | nindent 8 }}
        app.kubernetes.io/component: {{ .part }}
{{- end }}

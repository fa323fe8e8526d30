{{- define "voight.labels" -}}
app.kubernetes.io/name: voight
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "voight.name" -}}
{{- if contains "voight" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-voight" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* The pod of both kinds of stores. */ -}}
{{- define "voight.pod" -}}
metadata:
  labels: {{- include "voight.labels" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  # Requests in flight are answered, and the store makes its final commit.
  terminationGracePeriodSeconds: 40
  containers:
    - name: voight
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      ports:
        - { name: http, containerPort: 8080 }
        - { name: admin, containerPort: 8081 }
      env:
        # A directory of the volume, because the group may read the volume itself.
        - { name: VOIGHT__STORE__DATA_DIR, value: /var/lib/voight/data }
        - { name: VOIGHT__SERVER__PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
        {{- with .Values.trustedProxies }}
        - { name: VOIGHT__SERVER__TRUSTED_PROXIES, value: {{ join "," . | quote }} }
        {{- end }}
        {{- if eq .Values.store.kind "postgres" }}
        - { name: VOIGHT__STORE__URL, value: {{ .Values.store.url | quote }} }
        {{- end }}
        {{- range $key, $value := .Values.config }}
        - { name: {{ printf "VOIGHT__%s" ($key | replace "." "__" | upper) }}, value: {{ $value | toString | quote }} }
        {{- end }}
      {{- with .Values.secretName }}
      envFrom:
        - secretRef: { name: {{ . | quote }} }
      {{- end }}
      startupProbe:
        httpGet: { path: /livez, port: http }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /livez, port: http }
      readinessProbe:
        httpGet: { path: /readyz, port: admin }
        periodSeconds: 2
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      {{- with .Values.resources }}
      resources: {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - { name: data, mountPath: /var/lib/voight }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - { name: tmp, emptyDir: {} }
    {{- if eq .Values.store.kind "postgres" }}
    - { name: data, emptyDir: {} }
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

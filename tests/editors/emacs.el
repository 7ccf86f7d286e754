;;; emacs.el --- What a person in Emacs sees of a file, and does in it  -*- lexical-binding: t -*-

;; emacs --batch -l tests/editors/emacs.el CLIENT SET-UP FILE
;;
;; CLIENT is `eglot' or `lsp-mode', SET-UP a file with the lines that editors/README.md gives for it.  FILE is opened;
;; what is shown is printed as JSON, before and after the code action that silences the first finding was chosen from
;; the menu.  Every wait is for a condition; its deadline only ends a test that has failed.

(require 'cl-lib)
(require 'json)
(require 'package)
(package-activate-all)

(defvar driver-deadline 120)

(defun driver-wait (what condition)
  "Wait until the function CONDITION gives a true value, and return it; WHAT is waited for."
  (let ((end (+ (float-time) driver-deadline)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) end)
        (error "Never seen: %s\n%s" what (with-current-buffer (messages-buffer) (buffer-string))))
      (accept-process-output nil 0.05)
      (when (bound-and-true-p flymake-mode) (flymake-start)))
    value))

(defun driver-choosing (part action)
  "Call ACTION with a person at the menus who chooses what has PART in it."
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt choices &rest _)
               (cl-find-if (lambda (one) (string-search part one))
                           (all-completions "" choices)))))
    (funcall action)))

(defun driver-findings ()
  "The diagnostics of the buffer: code and text of each."
  (mapcar (lambda (one)
            (list (string-trim (buffer-substring-no-properties (car one) (cadr one))) (nth 2 one)))
          (driver-diagnostics)))

(defun driver-told (pattern)
  "What the first group of PATTERN matches among the messages."
  (with-current-buffer (messages-buffer)
    (save-excursion
      (goto-char (point-min))
      (and (re-search-forward pattern nil t) (match-string 1)))))

;;; What is asked of the one client and of the other

(defun driver-diagnostics ()
  "Beginning, end and text of each diagnostic that Flymake shows."
  (sort (mapcar (lambda (one)
                  (list (flymake-diagnostic-beg one) (flymake-diagnostic-end one) (flymake-diagnostic-text one)))
                (flymake-diagnostics))
        (lambda (one other) (< (car one) (car other)))))

(defun driver-hover ()
  "What is shown of the expression at point."
  (if (bound-and-true-p lsp-mode)
      (lsp--render-on-hover-content
       (gethash "contents" (lsp-request "textDocument/hover" (lsp--text-document-position-params))) t)
    (let (told)
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq told text)))
      (driver-wait "a hover" (lambda () told)))))

(defun driver-act (part)
  "Choose the code action with PART in its title."
  (driver-choosing part
                   (lambda ()
                     (if (bound-and-true-p lsp-mode)
                         (call-interactively #'lsp-execute-code-action)
                       (eglot-code-actions (point) (point) nil t)))))

(defun driver-lenses ()
  "The titles of the code lenses that are drawn, where the client can; it would draw them when it is idle."
  (when (bound-and-true-p lsp-mode)
    (lsp-lens-show)
    (mapcar (lambda (one) (substring-no-properties (overlay-get one 'lsp-original))) lsp-lens--overlays)))

;;; The visit

(cl-destructuring-bind (client set-up file) command-line-args-left
  (setq command-line-args-left nil
        make-backup-files nil
        backtrace-on-error-noninteractive nil  ; what was not seen is told, with the messages
        last-nonmenu-event ?x  ; no mouse: menus are read by completion
        lsp-session-file (expand-file-name "lsp-session" (file-name-directory file))
        lsp-auto-guess-root t
        lsp-diagnostics-provider :flymake
        lsp-warn-no-matched-clients nil
        lsp-enable-suggest-server-download nil)
  (require (intern client))
  (when (version< emacs-version "29")  ; it has python-mode-hook alone
    (add-hook 'python-mode-hook (lambda () (run-hooks 'python-base-mode-hook))))
  (load set-up nil t)
  (find-file file)
  ;; Clients start when somebody types, or is idle: in a batch nobody is.
  (run-hooks 'post-command-hook)
  (when (fboundp 'lsp--init-if-visible) (lsp--init-if-visible))
  (let ((before (driver-wait "two findings" (lambda () (and (>= (length (driver-diagnostics)) 2) (driver-findings)))))
        hover lenses after)
    (goto-char (point-min))
    (search-forward "np.sqrt")
    (setq hover (substring-no-properties (driver-hover))
          lenses (driver-lenses))
    (goto-char (caar (driver-diagnostics)))
    (driver-act "Silence")
    (save-buffer)
    (driver-wait "one finding less" (lambda () (= (length (driver-diagnostics)) (1- (length before)))))
    (setq after (driver-findings))
    (goto-char (point-min))
    (search-forward "def ")
    (driver-act "Show graph")
    (driver-wait "the graph" (lambda () (driver-told "the graph is in \\(.*\\.py\\)")))
    (princ (json-encode `((before . ,before) (hover . ,hover) (lenses . ,lenses) (after . ,after)
                          (text . ,(buffer-substring-no-properties (point-min) (point-max)))
                          (graph . ,(driver-told "the graph is in \\(.*\\.py\\)")))))))

;;; emacs.el ends here

"""Which words give away a page that is not content, in which language?

All phrases are casefolded and without accents, as the text that they are looked for in. `TITLES` hold for a
whole title or heading (or one part of it, between bars or dashes); `PHRASES` for a sentence of a short page.
"""

from __future__ import annotations

SOURCE_MARKERS = (
    "cf-browser-verification", "cf_chl_", "cf-chl", "cdn-cgi/challenge-platform", "jschl_vc", "cf-captcha",
    "__cf_bm_challenge", "sucuri_cloudproxy", "_incapsula_resource", "incapsula incident", "px-captcha",
    "captcha-delivery.com", "ddos-guard", "awswaf", "_sec/cp_challenge", "distil_r_captcha", "geo.captcha",
    "hcaptcha-box challenge", "perimeterx", "ak-challenge", "challenge-form", "cf-error-details",
)  # fmt: skip

TITLES: dict[str, tuple[str, ...]] = {
    "challenge": (
        r"just a moment", r"one moment,? please", r"attention required", r"are you (?:a )?(?:human|robot)",
        r"are you not a robot", r"security (?:check|verification)", r"verify(?:ing)? (?:that )?you are (?:a )?human",
        r"human verification", r"captcha", r"robot check", r"ddos protection.*", r"bot verification",
        r"pardon our interruption", r"website firewall", r"checking your browser.*", r"request unsuccessful",
        r"unusual traffic.*", r"too many requests", r"please wait", r"access (?:to this page )?(?:has been )?denied",
        r"(?:request|access) blocked", r"you have been blocked", r"sorry,? you have been blocked",
        r"bist du ein (?:mensch|roboter)", r"sind sie ein (?:mensch|roboter)", r"sicherheits(?:uberprufung|prufung|check)",
        r"einen moment,? bitte", r"einen moment", r"zugriff verweigert", r"bitte warten",
        r"verification (?:de securite|en cours)", r"controle de securite", r"un instant", r"un instant s'il vous plait",
        r"acces refuse", r"etes-vous (?:un )?(?:humain|robot)", r"veuillez patienter",
        r"un momento", r"espere un momento", r"acceso denegado", r"verificacion de seguridad", r"eres (?:humano|un robot)",
        r"comprobacion de seguridad", r"un attimo", r"solo un momento", r"accesso negato", r"controllo di sicurezza",
        r"verifica di sicurezza", r"so um momento", r"um momento", r"acesso negado", r"verificacao de seguranca",
        r"voce e (?:humano|um robo)", r"een ogenblik geduld", r"even geduld(?: a\.?u\.?b\.?)?", r"toegang geweigerd",
        r"beveiligingscontrole", r"ben je een (?:mens|robot)", r"chwileczke", r"prosze czekac", r"odmowa dostepu",
        r"kontrola bezpieczenstwa", r"czy jestes (?:czlowiekiem|robotem)", r"подождите.*", r"один момент",
        r"проверка безопасности", r"доступ (?:запрещен|запрещён|ограничен)", r"вы (?:не )?робот", r"проверка браузера",
        r"しばらくお待ちください.*", r"アクセスが拒否されました", r"セキュリティ(?:チェック|確認)", r"ロボットではありませんか",
        r"请稍候.*", r"请稍等.*", r"安全(?:验证|检查|檢查|驗證)", r"访问被拒绝", r"人机验证", r"請稍候.*", r"存取遭拒",
        r"잠시만 기다(?:려|리).*", r"보안 (?:확인|검사)", r"접근이? ?(?:거부|차단).*", r"bir dakika(?: lutfen)?",
        r"erisim engellendi", r"guvenlik (?:kontrolu|dogrulamasi)", r"vanta ett ogonblick", r"atkomst nekad",
        r"لحظة.*", r"تم رفض الوصول",
    ),
    "soft 404": (
        r"(?:http |error |erreur |fehler |errore? |erro |fout |blad |ошибка |エラー ?|错误 ?|오류 ?)*(?:4 ?0 ?4|410)"
        r"(?: error| erreur| fehler| errore| erro| fout| blad)?",
        r"(?:oops|uh oh|sorry|whoops|ups|oups|hoppla|entschuldigung|desole|lo sentimos|ops|spiacenti|helaas|przepraszamy"
        r"|извините)?[!,.: ]*(?:(?:http )?(?:error )?404[!,.: ]*)?(?:the |this |that |your |diese |die |cette |la |esta |essa "
        r"|a |questa |deze |de |ta )?(?:requested )?(?:page|file|article|document|content|url|resource|product|item|post"
        r"|story|entry|seite|datei|artikel|beitrag|page|fichier|article|pagina|archivo|articulo|contenido|artigo|arquivo"
        r"|conteudo|articolo|contenuto|strona|plik|artykul|страница|файл|статья|sidan|siden|sivua|sayfa)"
        r"(?: you (?:requested|are looking for|were looking for))?"
        r"(?: was| is| could| can| has| wurde| konnte| ist| est| n'est| n'a| no se ha| no ha sido| no se| no| nao| nao foi"
        r"| non e stata| non| is| werd| zostala| kunde| ble| blev| hittades)*"
        r" ?(?:not (?:be )?found|cannot be found|can't be found|missing|gone|removed|deleted|been (?:re)?moved|unavailable"
        r"|no longer (?:available|exists?)|does ?n[o']t exist|doesn't exist|not available|not exist"
        r"|nicht (?:gefunden(?: werden)?|vorhanden|verfugbar|mehr verfugbar)|existiert nicht(?: mehr)?|geloscht"
        r"|introuvable|existe pas|existe plus|pas ete trouvee?|pas trouvee?|supprimee?"
        r"|encontrad[ao]|encontramos|existe|disponible|eliminad[ao]|encontrad[ao]|disponivel|removid[ao]"
        r"|trovat[ao]|esiste(?: piu)?|disponibile|niet (?:gevonden|beschikbaar)|bestaat niet(?: meer)?"
        r"|nie (?:znaleziona?|istnieje|zostala znaleziona)|не (?:найден[ао]?|существует)|удален[ао]?"
        r"|(?:hittades|finns) inte|ikke funnet|ikke fundet|ei loydy|bulunamadi)",
        r"not found", r"nothing (?:was )?found(?: here)?", r"nicht gefunden", r"introuvable", r"no encontrad[ao]",
        r"nao encontrad[ao]", r"non trovat[ao]", r"niet gevonden", r"nie znaleziono(?: strony)?", r"не найдено",
        r"we (?:can't|cannot|couldn't|could not) find (?:that|this|the|your) page.*",
        r"seite (?:wurde )?nicht gefunden", r"pagina niet gevonden", r"такой страницы нет",
        r".{0,25}(?:ページ|記事|ファイル).{0,12}(?:見つかりません|存在しません|ありません|削除).{0,10}", r"見つかりません(?:でした)?",
        r".{0,12}(?:页面|頁面|网页|網頁|文章|内容).{0,8}(?:不存在|找不到|未找到|已删除|已刪除|无法找到).{0,6}",
        r".{0,6}(?:找不到|未找到|无法找到).{0,10}(?:页面|頁面|网页|網頁|文章|内容).{0,6}",
        r".{0,15}페이지.{0,8}(?:찾을 수 없|존재하지 않|삭제).{0,10}", r"찾을 수 없습니다", r".{0,12}الصفحة غير موجودة.{0,10}",
    ),
    "server error": (
        r"(?:error |http )?(?:500|502|503|504)(?: error)?", r"internal server error", r"bad gateway", r"gateway time-?out",
        r"service (?:temporarily )?unavailable", r"database error", r"error establishing a database connection",
        r"application error", r"runtime error", r"server error in '.*", r"site (?:is )?(?:temporarily )?(?:down|offline)",
        r"(?:down for |under |site )?maintenance", r"wartungsarbeiten", r"wartung", r"interner serverfehler",
        r"maintenance en cours", r"erreur interne du serveur", r"en mantenimiento", r"error interno del servidor",
        r"in manutenzione", r"em manutencao", r"in onderhoud", r"przerwa techniczna", r"технические работы",
        r"メンテナンス中.*", r"系统维护.*", r"점검 ?중.*", r"something went wrong", r"an error (?:has )?occurred",
    ),
    "login wall": (
        r"(?:please )?(?:log|sign)[ -]?(?:in|on)(?: required| to continue| to .{2,40}|.{0,4} or (?:sign up|register|join).*)?",
        r"login(?: required| page)?", r"authentication required", r"members? only", r"member login", r"join .{2,30} or sign in",
        r"(?:bitte )?(?:anmelden|einloggen|anmeldung)(?: erforderlich)?", r"login erforderlich",
        r"(?:se )?connexion(?: requise)?", r"connectez-vous.*", r"s'identifier", r"identification",
        r"iniciar sesion", r"inicia(?:r)? sesion .{0,30}", r"acceder", r"accedi", r"accesso(?: riservato)?", r"area riservata",
        r"entrar", r"iniciar sessao", r"faca login.*", r"inloggen", r"aanmelden", r"zaloguj sie.*", r"logowanie",
        r"вход(?: на сайт| в систему)?", r"войти", r"авторизация", r"ログイン", r"会員ログイン", r"登录", r"登入", r"用户登录",
        r"로그인", r"giris yap", r"logga in", r"logg inn", r"تسجيل الدخول",
    ),
    "consent wall": (
        r"(?:we value )?your privacy(?: matters)?", r"before you continue.*", r"cookie (?:consent|settings|notice|preferences)",
        r"privacy (?:settings|gate|center|preferences)", r"consent", r"we (?:value|respect|care about) your privacy",
        r"datenschutz(?:einstellungen)?", r"cookie-einstellungen", r"bevor sie .{2,40} weiter.*", r"zustimmung",
        r"parametres (?:de confidentialite|des cookies)", r"avant d'acceder.*", r"configuracion de (?:privacidad|cookies)",
        r"tu privacidad.*", r"la tua privacy.*", r"impostazioni (?:dei )?cookie", r"sua privacidade.*", r"uw privacy.*",
        r"jouw privacy.*", r"cookie-?instellingen", r"twoja prywatnosc.*", r"ustawienia (?:cookies|prywatnosci)",
        r"настройки (?:cookie|конфиденциальности)", r"プライバシー設定", r"cookieの同意", r"隐私设置", r"쿠키 설정",
    ),
    "parked domain": (
        r"(?:this domain|.{3,40}\.[a-z]{2,12}) (?:is|may be|might be) for sale.*", r"domain (?:for sale|parked|parking)",
        r"(?:buy|get) (?:this|the) domain.*", r"parked domain.*", r".{3,40}\.[a-z]{2,12} is parked.*",
        r"(?:diese )?domain (?:steht zum verkauf|zu verkaufen|ist geparkt)", r".{3,40} steht zum verkauf",
        r"(?:ce |nom de )?(?:nom de )?domaine (?:est )?(?:a vendre|en vente)", r"(?:este )?dominio (?:esta )?(?:en|a la) venta",
        r"(?:questo )?dominio (?:e )?in vendita", r"(?:este )?dominio (?:esta )?a venda", r"(?:dit )?domein(?:naam)? (?:is )?te koop",
        r"(?:ta )?domena (?:jest )?na sprzedaz", r"домен (?:продается|продаётся|припаркован)", r".{0,20}ドメイン.{0,6}(?:販売|売り).*",
        r".{0,12}域名.{0,4}(?:出售|转让).*", r".{0,12}도메인.{0,6}판매.*",
    ),
    "placeholder": (
        r"welcome to nginx!?", r"apache2? .{0,30}default page.*", r"it works!?", r"test page for .*", r"iis windows server",
        r"account suspended", r"this account has been suspended.*", r"coming soon", r"under construction",
        r"(?:our |this )?(?:new )?(?:web)?site (?:is )?(?:coming soon|under construction)", r"im aufbau", r"en construction",
        r"en construccion", r"in costruzione", r"em construcao", r"in aanbouw", r"strona w budowie", r"сайт в разработке",
        r"準備中", r"网站建设中", r"공사 ?중", r"index of /", r"future home of .*", r"site not published",
    ),
}  # fmt: skip

PHRASES: dict[str, tuple[str, ...]] = {
    "challenge": (
        "checking your browser before", "checking if the site connection is secure", "verify you are human",
        "verify that you are human", "verify you're human", "verify that you're not a robot", "are not a robot",
        "verifying you are human", "needs to review the security of your connection", "unusual traffic from your",
        "unusual activity from your", "detected unusual", "complete the captcha", "solve the captcha", "solve this captcha",
        "complete the security check", "prove you are human", "enter the characters you see", "you have been blocked",
        "ray id", "automated access to this", "your request has been blocked", "access to this page has been denied",
        "you don't have permission to access", "reference #18.", "incident id", "press and hold", "press & hold",
        "you made too many requests", "sent too many requests", "rate limit exceeded",
        "dass sie ein mensch sind", "dass sie kein roboter sind", "dass du ein mensch", "ungewohnlichen datenverkehr",
        "ungewohnliche aktivitat", "wird uberpruft, ob", "ihr browser wird uberpruft", "ihren browser",
        "que vous etes humain", "que vous etes un humain", "que vous n'etes pas un robot", "trafic inhabituel",
        "activite inhabituelle", "verification de votre navigateur", "que eres humano", "que usted es humano",
        "que no eres un robot", "que no es un robot", "trafico inusual", "comprobando su navegador", "comprobando tu navegador",
        "di essere umano", "di essere un essere umano", "che non sei un robot", "di non essere un robot", "traffico insolito",
        "controllo del browser", "che sei umano", "que voce e humano", "que voce nao e um robo", "trafego incomum",
        "verificando seu navegador", "dat je geen robot bent", "dat u geen robot bent", "dat u een mens bent",
        "dat je een mens bent", "ongebruikelijk verkeer", "ze jestes czlowiekiem", "ze nie jestes robotem",
        "nietypowy ruch", "sprawdzanie przegladarki", "что вы не робот", "что вы человек", "подозрительный трафик",
        "необычный трафик", "проверка вашего браузера", "проверяем ваш браузер", "ロボットではない", "ロボットでない",
        "人間であることを", "通常と異なるトラフィック", "不審なアクセス", "ブラウザを確認", "您是真人", "您不是机器人", "不是機器人",
        "异常流量", "完成安全验证", "正在检查您的浏览器", "로봇이 아닙", "사람인지 확인", "비정상적인 트래픽", "브라우저를 확인",
        "insan oldugunuzu", "robot olmadiginizi", "att du inte ar en robot", "att du ar en manniska",
    ),
    "soft 404": (
        "page you requested", "page you are looking for", "page you were looking for", "page you're looking for",
        "page you are trying", "page you tried", "page cannot be found", "page could not be found", "page was not found",
        "page does not exist", "page doesn't exist", "page no longer exists", "no longer available", "has been removed",
        "been removed or", "may have been moved", "might have been moved", "may have been deleted", "article has expired",
        "could not be found on this server", "was not found on this server", "we can't find the page", "we couldn't find",
        "we could not find", "seite wurde nicht gefunden", "seite konnte nicht gefunden", "seite existiert nicht",
        "gesuchte seite", "angeforderte seite", "aufgerufene seite", "nicht mehr verfugbar", "page que vous cherchez",
        "page que vous recherchez", "page demandee", "page n'existe", "n'est plus disponible", "pagina que buscas",
        "pagina que busca", "pagina solicitada", "pagina no existe", "ya no esta disponible", "no hemos encontrado",
        "pagina que voce", "pagina nao existe", "pagina que procura", "nao esta mais disponivel", "pagina che cerchi",
        "pagina che stai cercando", "pagina richiesta", "pagina non esiste", "non e piu disponibile",
        "pagina die je zoekt", "pagina die u zoekt", "opgevraagde pagina", "pagina bestaat niet", "niet meer beschikbaar",
        "strona nie istnieje", "strona, ktorej szukasz", "szukana strona", "podana strona", "nie jest juz dostepn",
        "страница не найдена", "страница не существует", "страницы не существует", "запрашиваемая страница",
        "страница, которую вы", "была удалена", "больше не доступн", "お探しのページ", "ご指定のページ", "ページは存在",
        "ページは削除", "ページが見つかり", "您访问的页面", "您要查找的", "您查找的", "页面不存在", "页面已", "頁面不存在",
        "요청하신 페이지", "찾으시는 페이지", "페이지를 찾을 수 없", "페이지가 존재하지", "삭제되었", "aradiginiz sayfa",
        "sidan du soker", "siden du leter", "siden du leder",
    ),
    "server error": (
        "internal server error", "the server encountered", "temporarily unable to service", "try again later",
        "undergoing maintenance", "scheduled maintenance", "down for maintenance", "be back soon", "be back shortly",
        "wartungsarbeiten", "versuchen sie es spater", "maintenance est en cours", "reessayer plus tard", "ressayez plus tard",
        "tareas de mantenimiento", "intentelo de nuevo mas tarde", "intentalo mas tarde", "in manutenzione", "riprova piu tardi",
        "em manutencao", "tente novamente mais tarde", "probeer het later", "onderhoudswerkzaamheden", "prace techniczne",
        "sprobuj ponownie pozniej", "технические работы", "попробуйте позже", "повторите попытку позже", "メンテナンス",
        "しばらくしてから", "系统维护", "稍后再试", "점검 중", "나중에 다시", "technical difficulties", "error occurred",
        "unexpected error",
    ),
    "login wall": (
        "you must be logged in", "you must log in", "you need to log in", "you need to be logged in", "you need to sign in",
        "please log in", "please sign in", "please login", "log in to continue", "sign in to continue", "sign in to view",
        "log in to view", "sign in to see", "log in to see", "login to continue", "login to view", "create an account to",
        "available to members", "members only", "available to registered", "for registered users", "forgot password",
        "forgot your password", "don't have an account", "remember me", "melden sie sich an", "melde dich an",
        "bitte anmelden", "bitte einloggen", "loggen sie sich ein", "logge dich ein", "nur fur angemeldete",
        "nur fur registrierte", "nur fur mitglieder", "passwort vergessen", "noch kein konto", "connectez-vous",
        "vous devez etre connecte", "vous devez vous connecter", "veuillez vous connecter", "reserve aux membres",
        "reserve aux abonnes", "mot de passe oublie", "pas encore de compte", "inicia sesion", "inicie sesion",
        "debes iniciar sesion", "debe iniciar sesion", "solo para usuarios registrados", "olvidaste tu contrasena",
        "olvido su contrasena", "effettua il login", "effettua l'accesso", "devi accedere", "devi effettuare",
        "riservata agli utenti", "riservato agli utenti", "accedi per", "password dimenticata", "faca login", "faca o login",
        "precisa estar logado", "iniciar sessao", "inicie sessao", "exclusivo para", "esqueceu a senha", "esqueceu sua senha",
        "log in om", "log in om verder", "je moet ingelogd", "u moet ingelogd", "inloggen om", "alleen voor leden",
        "wachtwoord vergeten", "zaloguj sie", "musisz byc zalogowany", "musisz sie zalogowac", "tylko dla zalogowanych",
        "nie pamietasz hasla", "zapomniales hasla", "войдите", "необходимо войти", "авторизуйтесь",
        "только для зарегистрированных", "доступно только авторизованным", "забыли пароль", "ログインしてください",
        "ログインが必要", "会員限定", "会員専用", "パスワードをお忘れ", "请登录", "请先登录", "登录后", "登入後", "請先登入", "忘记密码",
        "忘記密碼", "로그인이 필요", "로그인해 주세요", "로그인 후", "회원 전용", "비밀번호 찾기", "비밀번호를 잊", "giris yapmaniz",
        "logga in for att",
    ),
    "consent wall": (
        "cookie", "consent", "gdpr", "privacy", "our partners", "legitimate interest", "accept all", "reject all",
        "manage options", "personal data", "personalised ads", "personalized ads", "before you continue", "einwillig",
        "zustimm", "datenschutz", "partner", "alle akzeptieren", "alle ablehnen", "consentement", "confidentialite",
        "tout accepter", "tout refuser", "traceurs", "partenaires", "consentimiento", "privacidad", "aceptar todo",
        "rechazar todo", "socios", "consenso", "accetta tutt", "rifiuta tutt", "consentimento", "privacidade",
        "aceitar tudo", "rejeitar", "parceiros", "toestemming", "alles accepteren", "alles weigeren", "zgod", "prywatnosc",
        "zaakceptuj", "согласи", "конфиденциальн", "файлы cookie", "принять все", "同意", "クッキー", "プライバシー",
        "すべて許可", "隐私", "隱私", "接受全部", "쿠키", "동의", "개인정보", "cerez", "kabul", "samtyck", "godkann",
    ),
    "script-only shell": (
        "enable javascript", "javascript is disabled", "javascript is required", "requires javascript", "turn on javascript",
        "javascript to run this app", "javascript is not enabled", "javascript must be enabled", "without javascript",
        "javascript aktivieren", "aktivieren sie javascript", "javascript ist deaktiviert", "javascript wird benotigt",
        "benotigt javascript", "activer javascript", "activez javascript", "javascript est desactive", "necessite javascript",
        "habilitar javascript", "habilite javascript", "habilita javascript", "active javascript", "activa javascript",
        "activar javascript", "necesita javascript", "requiere javascript", "abilita javascript", "abilitare javascript",
        "attiva javascript", "attivare javascript", "richiede javascript", "ative o javascript", "ativar o javascript",
        "habilite o javascript", "schakel javascript in", "javascript in te schakelen", "javascript staat uit", "javascript inschakelen",
        "wlacz javascript", "wlaczyc javascript", "wlacz obsluge javascript", "включите javascript", "включить javascript",
        "включите поддержку javascript", "javascriptを有効", "javascriptが無効", "启用javascript", "启用 javascript",
        "啟用javascript", "開啟 javascript", "开启javascript", "자바스크립트를 활성화", "javascript를 활성화", "javascript를 사용",
        "javascript'i etkinlestir", "aktivera javascript",
    ),
    "redirect": (
        "redirecting", "you are being redirected", "you will be redirected", "if you are not redirected",
        "page has moved", "site has moved", "we have moved", "object moved", "moved permanently", "click here to continue",
        "weitergeleitet", "weiterleitung", "ist umgezogen", "redirection", "etes redirige", "serez redirige", "a demenage",
        "redirigiendo", "redirigid", "redireccionad", "se ha mudado", "reindirizza", "verrai reindirizzato", "redirecionad",
        "redirecionando", "doorgestuurd", "is verhuisd", "przekierow", "перенаправл", "リダイレクト", "移転しました",
        "自動的に移動", "跳转", "重定向", "이동합니다", "이동됩니다", "yonlendiril", "omdirigera",
    ),
    "parked domain": (
        "domain is for sale", "domain may be for sale", "domain name is for sale", "buy this domain", "domain is parked",
        "domain parking", "parked free", "parked for free", "this domain has expired", "domain has recently been registered",
        "make an offer on", "inquire about this domain", "related searches", "sponsored listings", "domain broker",
        "the domain owner", "domaininhaber", "domain steht zum verkauf", "domain kaufen", "domain erwerben", "geparkt",
        "domaine est a vendre", "nom de domaine", "acheter ce domaine", "dominio esta en venta", "comprar este dominio",
        "dominio e in vendita", "acquista questo dominio", "dominio esta a venda", "domein is te koop", "domeinnaam",
        "domena jest na sprzedaz", "kup te domene", "домен продается", "домен продаётся", "купить домен", "このドメイン",
        "ドメインは", "该域名", "此域名", "本域名", "도메인은", "도메인을 구매",
    ),
    "placeholder": (
        "successfully installed", "web server", "has been suspended", "contact your hosting provider", "coming soon",
        "under construction", "launching soon", "stay tuned", "im aufbau", "in kurze", "en construction", "en construccion",
        "proximamente", "in costruzione", "prossimamente", "em construcao", "em breve", "in aanbouw", "binnenkort", "w budowie",
        "wkrotce", "в разработке", "скоро", "準備中", "公開予定", "建设中", "敬请期待", "공사 중", "준비 중", "default page",
    ),
}  # fmt: skip

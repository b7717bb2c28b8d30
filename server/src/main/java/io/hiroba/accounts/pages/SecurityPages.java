package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsModule;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Passkeys;
import io.hiroba.accounts.SecondFactors;
import io.hiroba.accounts.SecondFactors.Factor;
import io.hiroba.accounts.SecondFactors.FactorId;
import io.hiroba.accounts.SecondFactors.Kind;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.nayuki.qrcodegen.QrCode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The settings page of second factors: the authenticator app, passkeys and recovery codes. */
public final class SecurityPages implements Routes {

    private static final String PAGE = "/settings/security";
    private static final int QUIET_ZONE = 4;

    private final Shell shell;
    private final Readers readers;
    private final Users users;
    private final Sessions sessions;
    private final SecondFactors factors;
    private final Passkeys passkeys;
    private final Predicate<Caller> isRequired;

    SecurityPages(Shell shell, Readers readers, AccountsModule accounts) {
        this.shell = shell;
        this.readers = readers;
        this.users = accounts.users();
        this.sessions = accounts.sessions();
        this.factors = accounts.secondFactors();
        this.passkeys = accounts.passkeys();
        this.isRequired = accounts::hasToAddSecondFactor;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PAGE, ctx -> show(ctx, Form.EMPTY, List.of()));
        routes.post(PAGE + "/app", this::startApp);
        routes.post(PAGE + "/app/confirm", this::confirmApp);
        routes.post(
                PAGE + "/passkeys/challenge",
                ctx -> ctx.json(passkeys.startRegistration(LogInPages.origin(ctx), Caller.of(ctx))));
        routes.post(PAGE + "/passkeys", this::addPasskey);
        routes.post(PAGE + "/recovery-codes", this::renewRecoveryCodes);
        routes.post(PAGE + "/factors/{id}/remove", this::remove);
    }

    private void startApp(Context ctx) {
        change(ctx, Form.EMPTY, "", () -> {
            factors.startApp(Caller.of(ctx));
            return List.of();
        });
    }

    private void confirmApp(Context ctx) {
        var form = Form.of(ctx, "code");
        change(ctx, form, "accounts.security-added", () -> factors.confirmApp(Caller.of(ctx), form.value("code")));
    }

    private void addPasskey(Context ctx) {
        var form = Form.of(ctx, "name");
        change(
                ctx,
                form,
                "accounts.security-added",
                () -> passkeys.finishRegistration(
                        LogInPages.origin(ctx), Caller.of(ctx), LogInPages.answer(ctx), form.value("name")));
    }

    private void renewRecoveryCodes(Context ctx) {
        change(ctx, Form.EMPTY, "", () -> factors.renewRecoveryCodes(Caller.of(ctx)));
    }

    private void remove(Context ctx) {
        change(ctx, Form.EMPTY, "accounts.security-removed", () -> {
            factors.remove(Caller.of(ctx), FactorId.parse(ctx.pathParam("id")), "");
            return List.of();
        });
    }

    /** Runs a change and shows the recovery codes that it made, which is the only time; without any it redirects. */
    private void change(Context ctx, Form form, String done, Supplier<List<String>> change) {
        try {
            var codes = change.get();
            if (!codes.isEmpty()) {
                ctx.header("HX-Replace-Url", PAGE);
                show(ctx, Form.EMPTY, codes);
            } else if (done.isEmpty()) {
                shell.seeOther(ctx, PAGE);
            } else {
                shell.seeOther(ctx, PAGE, Text.of(done));
            }
        } catch (Problem refusal) {
            shell.refused(ctx, refusal, PAGE);
            show(ctx, form.refused(refusal), List.of());
        }
    }

    private void show(Context ctx, Form form, List<String> codes) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var overview = factors.list(caller);
        boolean isConfirmed = !caller.acting() && sessions.isConfirmed(caller);
        var view = new SecurityView(
                overview.factors().stream().map(factor -> view(factor, reader)).toList(),
                overview.recoveryCodes(),
                codes,
                !overview.has(Kind.APP),
                isConfirmed,
                isConfirmed ? factors.unconfirmedApp(caller).orElse("") : "",
                passkeys.isAvailable(LogInPages.origin(ctx)),
                isRequired.test(caller));
        shell.page(
                ctx,
                Text.of("accounts.security"),
                "accounts/settings-security",
                Map.of("form", form, "security", view, "code", view.secret().isEmpty() ? "" : uri(caller, view)));
    }

    /** The address that a QR code holds, as apps read it. */
    private String uri(Caller caller, SecurityView view) {
        var label = "Hiroba:" + users.profile(caller.user()).user().email();
        return "otpauth://totp/%s?secret=%s&issuer=Hiroba".formatted(encoded(label), view.secret());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static FactorView view(Factor factor, Reader reader) {
        var lastUsed = factor.lastUsedAt();
        return new FactorView(
                factor.id().hex(),
                factor.kind() == Kind.APP ? reader.text("accounts.security-app") : factor.name(),
                factor.kind() == Kind.APP ? "device" : "key",
                reader.text(
                        "accounts.tokens-created",
                        "date",
                        reader.date(factor.id().createdAt())),
                lastUsed == null
                        ? reader.text("accounts.tokens-never-used")
                        : reader.text("accounts.tokens-used", "when", reader.ago(lastUsed)));
    }

    /** The view of a second factor. */
    public record FactorView(String id, String name, String icon, String created, String used) {}

    /**
     * The view of an account's second factors.
     *
     * @param newCodes recovery codes that were just made
     * @param mayAddApp whether there is no app yet
     * @param isConfirmed whether the session was confirmed lately, so that something may be changed
     * @param secret of an app that is being added; empty if there is none
     * @param hasPasskeys whether the site may use passkeys
     * @param isRequired whether the reader has to add a second factor
     */
    public record SecurityView(
            List<FactorView> factors,
            int recoveryCodes,
            List<String> newCodes,
            boolean mayAddApp,
            boolean isConfirmed,
            String secret,
            boolean hasPasskeys,
            boolean isRequired) {

        public SecurityView {
            factors = List.copyOf(factors);
            newCodes = List.copyOf(newCodes);
        }

        /** The secret in groups of four, as people copy it. */
        public String groupedSecret() {
            return secret.replaceAll("(.{4})(?=.)", "$1 ");
        }
    }

    /** A QR code as the path of an SVG, and its size with the empty border that readers ask for. */
    public record QrView(String path, int size) {

        public static QrView of(String text) {
            var code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
            var path = new StringBuilder();
            for (int y = 0; y < code.size; y++) {
                for (int x = 0; x < code.size; x++) {
                    if (code.getModule(x, y)) {
                        path.append("M%d,%dh1v1h-1z".formatted(x + QUIET_ZONE, y + QUIET_ZONE));
                    }
                }
            }
            return new QrView(path.toString(), code.size + 2 * QUIET_ZONE);
        }
    }
}

package io.hiroba.accounts;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.mail.NewMail;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** Composes the mails with codes and security notices. */
final class VerificationMails {

    private VerificationMails() {}

    static NewMail signUp(Language language, Email to, VerificationCode code) {
        return mail(language, to, "sign-up", "code", code.digits());
    }

    static NewMail passwordReset(Language language, Email to, VerificationCode code) {
        return mail(language, to, "password-reset", "code", code.digits());
    }

    static NewMail emailChange(Language language, Email to, VerificationCode code) {
        return mail(language, to, "email-change", "code", code.digits());
    }

    /** Says what the answer to the request does not reveal. */
    static NewMail accountExists(Language language, Email to) {
        return mail(language, to, "account-exists");
    }

    static NewMail emailChanged(Language language, Email former, Email present) {
        return mail(language, former, "email-changed", "address", present.masked());
    }

    static NewMail passwordChanged(Language language, Email to) {
        return mail(language, to, "password-changed");
    }

    /** Lets the owner know of a log-in with a browser that the account did not know. */
    static NewMail newDevice(Language language, Email to, Text device, ClientInfo client) {
        return mail(language, to, "new-device", "device", device.in(language), "address", client.address());
    }

    /** Lets the owner know of a change of second factors. */
    static NewMail secondFactors(Language language, Email to, AuditLog.Action change) {
        return mail(language, to, change.code());
    }

    static NewMail identityLinked(Language language, Email to, String provider, String name) {
        return mail(language, to, "identity-linked", "provider", provider, "name", name);
    }

    static NewMail identityUnlinked(Language language, Email to, String provider, String name) {
        return mail(language, to, "identity-unlinked", "provider", provider, "name", name);
    }

    /** The link is the only copy of the secret that verifies the address. */
    static NewMail invitation(Language language, Email to, Nickname host, String link, Instant expiresAt) {
        var until = new Reader(language, ZoneOffset.UTC, expiresAt).longDateTime(expiresAt);
        return mail(language, to, "invitation", "host", host, "link", link, "until", until);
    }

    /** Lets the owner know that an archive of their data can be fetched. */
    static NewMail exportReady(Language language, Email to, String link, String until) {
        return mail(language, to, "export-ready", "link", link, "until", until);
    }

    /** Reminds the owner of an API token, by the event that it is about. */
    static NewMail token(Language language, Email to, String event, ApiToken token) {
        var expiresAt = Optional.ofNullable(token.expiresAt()).orElse(Instant.MAX);
        var at = new Reader(language, ZoneOffset.UTC, expiresAt).longDateTime(expiresAt);
        return mail(language, to, event, "token", token.name(), "at", at);
    }

    /** Lets an admin know of many wrong passwords. */
    static NewMail manyFailures(Language language, Email to, int failures) {
        return mail(language, to, "many-failures", "count", failures);
    }

    /** Lets an admin know of another. */
    static NewMail adminGranted(Language language, Email to, Nickname nickname) {
        return mail(language, to, "admin-granted", "nickname", nickname);
    }

    private static NewMail mail(Language language, Email to, String name, Object... arguments) {
        var key = "accounts.letter." + name;
        return new NewMail(
                to.value(),
                Text.of(key + ".subject", arguments).in(language),
                Text.of(key + ".text", arguments).in(language));
    }
}

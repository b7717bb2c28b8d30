package io.hiroba.accounts;

/** An error in the form of OAuth (RFC 6749, section 5.2): a code and a description in English for those who write apps. */
final class OAuthError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;

    private OAuthError(String code, String description) {
        super(description, null, false, false);
        this.code = code;
    }

    static OAuthError invalidRequest(String description) {
        return new OAuthError("invalid_request", description);
    }

    static OAuthError invalidClient() {
        return new OAuthError("invalid_client", "The client is unknown, or its authentication is wrong.");
    }

    /** One answer for all that may be wrong with a code or a refresh token. */
    static OAuthError invalidGrant() {
        return new OAuthError(
                "invalid_grant", "The code or refresh token is wrong, used, expired or of another client.");
    }

    static OAuthError invalidScope(String description) {
        return new OAuthError("invalid_scope", description);
    }

    static OAuthError invalidTarget() {
        return new OAuthError("invalid_target", "The resource is not on this server.");
    }

    static OAuthError accessDenied() {
        return new OAuthError("access_denied", "The user said no.");
    }

    static OAuthError unsupportedResponseType() {
        return new OAuthError("unsupported_response_type", "The response_type must be code.");
    }

    static OAuthError unsupportedGrantType() {
        return new OAuthError("unsupported_grant_type", "The grant_type must be authorization_code or refresh_token.");
    }

    static OAuthError invalidRedirectUri(String description) {
        return new OAuthError("invalid_redirect_uri", description);
    }

    static OAuthError invalidMetadata(String description) {
        return new OAuthError("invalid_client_metadata", description);
    }

    String code() {
        return code;
    }

    String description() {
        return String.valueOf(getMessage());
    }

    int status() {
        return code.equals("invalid_client") ? 401 : 400;
    }
}

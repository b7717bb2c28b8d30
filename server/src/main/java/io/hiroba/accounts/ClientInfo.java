package io.hiroba.accounts;

import io.hiroba.platform.http.ClientAddress;
import io.javalin.http.Context;

/**
 * The client of a request.
 *
 * @param address shown to the owner of a session
 * @param bucket the key of rate limits
 * @param agent the User-Agent
 */
public record ClientInfo(String address, String bucket, String agent) {

    private static final int MAX_AGENT = 300;
    private static final int MAX_ADDRESS = 50;

    public ClientInfo {
        address = address.substring(0, Math.min(address.length(), MAX_ADDRESS));
        agent = printable(agent);
    }

    public static ClientInfo of(Context ctx, ClientAddress addresses) {
        var agent = ctx.userAgent();
        return new ClientInfo(addresses.of(ctx).getHostAddress(), addresses.bucket(ctx), agent == null ? "" : agent);
    }

    private static String printable(String agent) {
        var ascii = agent.replaceAll("[^\\x20-\\x7E]", "?");
        return ascii.substring(0, Math.min(ascii.length(), MAX_AGENT));
    }
}

package io.hiroba.platform.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.SocketAddressResolver;

/**
 * Resolves hosts, and returns their addresses only if all of them may be connected to. The client connects to the
 * returned addresses without another lookup, so rebinding a name gains nothing.
 */
public final class SafeAddressResolver implements SocketAddressResolver {

    /** Looks up the addresses of a host. */
    @FunctionalInterface
    public interface Names {
        InetAddress[] lookUp(String host) throws UnknownHostException;
    }

    /** A host has an address that must not be connected to. */
    public static final class Refused extends IOException {

        private static final long serialVersionUID = 1L;

        Refused() {
            super("An address of the host is not public");
        }
    }

    private final Names names;
    private final Predicate<InetAddress> allowed;

    /**
     * Looks names up by the system.
     *
     * @param privateAddresses whether addresses of this machine and its network may be connected to
     */
    public SafeAddressResolver(boolean privateAddresses) {
        this(InetAddress::getAllByName, privateAddresses ? address -> true : PublicAddress::isPublic);
    }

    public SafeAddressResolver(Names names, Predicate<InetAddress> allowed) {
        this.names = names;
        this.allowed = allowed;
    }

    @Override
    public void resolve(String host, int port, Map<String, Object> context, Promise<List<InetSocketAddress>> promise) {
        // A lookup blocks, and the caller is an I/O thread.
        Thread.ofVirtual().name("address lookup").start(() -> {
            try {
                promise.succeeded(addresses(host, port));
            } catch (IOException | RuntimeException e) {
                promise.failed(e);
            }
        });
    }

    private List<InetSocketAddress> addresses(String host, int port) throws IOException {
        var found = names.lookUp(host);
        if (!Arrays.stream(found).allMatch(allowed)) {
            throw new Refused();
        }
        var addresses = new ArrayList<InetSocketAddress>();
        for (var address : found) {
            addresses.add(new InetSocketAddress(address, port));
        }
        return addresses;
    }
}

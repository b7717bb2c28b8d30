package io.hiroba.bench;

/** A server in processes of its own that is asked over HTTP. */
public interface MeasuredServer extends AutoCloseable {

    String name();

    /** A new connection with the rights to do all that is measured. */
    RawHttp connect();

    /** The processor time of the server and its database. */
    CpuMeter cpu();

    @Override
    void close();
}

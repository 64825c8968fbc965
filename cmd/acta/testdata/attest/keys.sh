# The keys of the scripts about signed verdicts, and who may sign with them.
ssh-keygen -q -t ed25519 -N '' -C '' -f ci
ssh-keygen -q -t ed25519 -N '' -C '' -f other
echo "ci@example.org namespaces=\"acta-attest\" $(cat ci.pub)" >allowed
echo "ci@example.org valid-after=\"20260120\" $(cat ci.pub)" >then
